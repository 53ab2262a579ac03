/** Links of a guide as they lead to others in the application. Pure. */

/** Code, in which brackets are no links, or a link. */
const CODE_OR_LINK = /^ *(```+)[\s\S]*?^ *\1 *$|`[^`\n]*`|!?\[((?:`[^`\n]*`|[^[\]`])*)\]\(<?([^)\s>]+)>?\)/gm

/**
 * The text with links to other guides as addresses of the application. What leads to a file that is no guide, like the
 * source code, becomes its label.
 * @param page as `guides/sft`, from which links start
 */
export function linked(
  text: string,
  page: string,
  origin: string,
  isGuide: (path: string) => boolean,
): string {
  return text.replaceAll(CODE_OR_LINK, (all, _fence, label: string | undefined, to: string | undefined) => {
    if (to === undefined || label === undefined || /^[a-z][a-z+.-]*:/i.test(to)) return all
    const { pathname, hash } = new URL(to, `https://docs/${page}.md`)
    const path = pathname.slice(1).replace(/\/$/, '/README').replace(/\.md$/, '')
    return isGuide(path) ? `[${label}](${origin}/docs?page=${path}${hash})` : label
  })
}
