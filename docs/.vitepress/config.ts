/**
 * The documentation as a site: `make site` builds docs/ into dist/site/<version>/, with search and without any request to
 * another host. Versions that lie beside each other in dist/site/ are offered by each. Links to the source code become
 * plain text, since the code is not part of the site.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const docs = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(docs, '../package.json'), 'utf8')) as { version: string }
const base = `/${version}/`
const site = join(docs, '../dist/site')

/** The navigation. An entry is a page's path without `.md`; its text is the page's first heading. */
const GROUPS: readonly { text: string; pages: readonly string[]; collapsed?: boolean }[] = [
  { text: 'Start', pages: ['README', 'concepts', 'faq', 'glossary'] },
  {
    text: 'Send traces',
    pages: ['frameworks/README', ...pagesOf('frameworks'), 'guides/what-clients-print', 'conventions'],
  },
  {
    text: 'Use',
    pages: [
      ...['queries', 'sql', 'feedback', 'monitors', 'annotation', 'datasets', 'compare-two-models', 'gate'],
      ...['prompts', 'playground', 'dashboards', 'sharing', 'alerts', 'rules', 'agents', 'mcp'],
    ].map((name) => `guides/${name}`),
  },
  {
    text: 'Train and serve',
    pages: [
      ...['traces-to-model', 'sft', 'preferences', 'rl', 'rewards', 'several-gpus'],
      ...['claude-code', 'codex', 'sessions', 'batches', 'embeddings'],
    ].map((name) => `guides/${name}`),
  },
  {
    text: 'Move to Heddle',
    pages: pagesOf('guides').filter((page) => page.startsWith('guides/from-')),
  },
  { text: 'Operate', pages: ['operate/README', ...pagesOf('operate'), 'configuration', 'debugging'] },
  { text: 'Runbooks', pages: ['runbooks/README', ...pagesOf('runbooks')], collapsed: true },
  {
    text: 'Develop',
    pages: ['roadmap', 'architecture', 'migrations', 'releasing', 'adr/README', ...pagesOf('adr')],
    collapsed: true,
  },
]

const TEMPLATE = '0000-template.md'

/** The pages of a folder by name, without its README and templates. */
function pagesOf(folder: string): string[] {
  return readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md' && name !== TEMPLATE)
    .map((name) => `${folder}/${name.slice(0, -3)}`)
    .sort()
}

function titleOf(page: string): string {
  const text = readFileSync(join(docs, `${page}.md`), 'utf8')
  const heading = /^# (.+)$/m.exec(text)?.[1]
  if (heading === undefined) throw new Error(`docs/${page}.md has no heading`)
  return heading.replaceAll('`', '')
}

const listed = new Set(GROUPS.flatMap(({ pages }) => pages))
for (const folder of ['.', 'frameworks', 'guides', 'operate', 'runbooks', 'adr'])
  for (const page of pagesOf(folder))
    if (!listed.has(page.replace('./', '')))
      throw new Error(`docs/${page}.md is not in the navigation of config.ts`)

const address = (page: string) => `/${page.replace(/(^|\/)README$/, '$1')}`

export default defineConfig({
  title: 'Heddle',
  description: 'Traces, evaluations, serving and training of LLM programs in one service',
  srcDir: '.',
  outDir: join(site, version),
  cacheDir: '../.cache/vitepress',
  base,
  cleanUrls: false,
  lastUpdated: false,
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  srcExclude: [`adr/${TEMPLATE}`, 'node_modules/**'],
  buildEnd: () => {
    const versions = readdirSync(site)
      .filter((name) => /^\d+\.\d+\.\d+/.test(name))
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    writeFileSync(join(site, 'versions.json'), JSON.stringify(versions))
    writeFileSync(join(site, 'index.html'), `<meta http-equiv="refresh" content="0; url=/${versions[0]}/">`)
  },
  markdown: {
    config: (markdown) => {
      // A link that leaves docs/ is shown as text; one to a file in docs/ that is no page, too.
      markdown.core.ruler.push('links-within', ({ tokens, env }) => {
        const page = relative(docs, (env as { path: string }).path)
        for (const { children } of tokens) {
          let outside = false
          for (const token of children ?? []) {
            if (token.type === 'link_close' && outside) {
              Object.assign(token, { tag: 'span' })
              outside = false
            }
            if (token.type !== 'link_open') continue
            const href = token.attrGet('href') ?? ''
            if (/^([a-z+.-]+:|#|\/)/i.test(href)) continue
            const [path = ''] = href.split('#')
            const target = join(dirname(page), decodeURI(path))
            if (existsSync(join(docs, target, 'README.md'))) {
              token.attrSet('href', `${path.replace(/\/$/, '')}/README.md`)
              continue
            }
            if (!target.startsWith('..') && target.endsWith('.md') && !target.endsWith(TEMPLATE)) continue
            outside = true
            Object.assign(token, { tag: 'span', attrs: [['title', target.replace(/^\.\.\//, '')]] })
          }
        }
      })
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [{ component: 'VersionSwitch', props: { version } }],
    sidebar: GROUPS.map(({ text, pages, collapsed }) => ({
      text,
      ...(collapsed === undefined ? {} : { collapsed }),
      items: pages.map((page) => ({ text: titleOf(page), link: address(page) })),
    })),
  },
})
