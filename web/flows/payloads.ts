/** Texts that try to become more than text. */

/** Each would run, or show itself as markup, where it is put into a page as anything but text. */
export const PAYLOADS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '[click](javascript:alert(1))',
  '![x](x" onerror="alert(1))',
  '<a href="javascript:alert(1)">a</a>',
  '```html\n<script>alert(1)</script>\n```',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  "javascript:alert('1')",
  '{{constructor.constructor("alert(1)")()}}',
]

/** What one of them would have become. */
export const INJECTED = '#root script, #root iframe, #root [onerror], #root [onload], a[href^="javascript"]'
