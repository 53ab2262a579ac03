for (const pre of document.querySelectorAll('pre'))
  pre.textContent = pre.textContent.replaceAll('{origin}', location.origin)
