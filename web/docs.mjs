/* Renders /openapi.json. Everything from the document goes in as text, never as markup. */
const $ = (id) => document.getElementById(id)
const el = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value)
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value)
  }
  node.append(...children.filter((child) => child !== undefined && child !== null))
  return node
}
/** The parts of a text; those in backticks as code. */
const withCode = (text) => text.split('`').map((part, i) => (i % 2 === 1 ? el('code', {}, part) : part))
let doc
const nameOf = (ref) => ref.slice(ref.lastIndexOf('/') + 1)
const resolve = (schema) => {
  let here = schema
  for (let i = 0; here?.$ref && i < 20; i++) here = doc.components.schemas[nameOf(here.$ref)]
  return here || {}
}
const variants = (schema) => schema.anyOf || schema.oneOf || schema.allOf
const isNull = (schema) => schema.type === 'null'

function typeName(schema) {
  if (schema.$ref) return nameOf(schema.$ref)
  const some = variants(schema)
  if (some) return some.map(typeName).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.type === 'array') return `${typeName(schema.items || {})}[]`
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  return schema.format || schema.contentMediaType || schema.type || 'any'
}

/** Objects that can be looked into: this schema, what its list holds, or its only variant that is no null. */
function inside(schema) {
  const here = resolve(schema)
  if (here.properties) return here
  if (here.items) return inside(here.items)
  const some = (variants(here) || []).filter((variant) => !isNull(variant))
  for (const variant of some) {
    const found = inside(variant)
    if (found) return found
  }
  return undefined
}

function fields(schema, seen = []) {
  const here = inside(schema)
  if (!here) return el('span', { class: 'type' }, typeName(schema))
  const required = here.required || []
  const items = Object.entries(here.properties).map(([name, field]) => {
    const deeper = inside(field)
    const note = field.description || resolve(field).description
    const more = [
      note,
      field.default !== undefined && field.default !== null ? `default ${JSON.stringify(field.default)}` : '',
    ]
      .filter(Boolean)
      .join('; ')
    return el(
      'li',
      {},
      el('span', { class: 'name' }, name),
      ' ',
      el('span', { class: 'type' }, typeName(field)),
      ' ',
      required.includes(name) ? el('span', { class: 'must' }, 'required') : undefined,
      ' ',
      more ? el('span', { class: 'note' }, more) : undefined,
      deeper && !seen.includes(deeper) ? unfold(() => fields(field, [...seen, here, deeper])) : undefined,
    )
  })
  return el('ul', { class: 'fields' }, ...items)
}

function unfold(make) {
  const details = el('details', {}, el('summary', {}, 'fields'))
  details.addEventListener('toggle', () => {
    if (details.childElementCount === 1) details.append(make())
  })
  return details
}

function example(schema, depth = 0) {
  const here = resolve(schema)
  if (here.examples) return here.examples[0]
  if (here.default !== undefined) return here.default
  if (here.const !== undefined) return here.const
  if (here.enum) return here.enum[0]
  const some = variants(here)
  if (some) return some.some(isNull) ? null : example(some[0], depth)
  if (here.properties) {
    if (depth > 4) return {}
    const required = here.required || []
    const names = Object.keys(here.properties).filter((name) => required.includes(name))
    return Object.fromEntries(names.map((name) => [name, example(here.properties[name], depth + 1)]))
  }
  if (here.type === 'array') return depth > 4 ? [] : [example(here.items || {}, depth + 1)]
  if (here.type === 'integer' || here.type === 'number') return here.minimum ?? 0
  if (here.type === 'boolean') return false
  if (here.format === 'date-time') return new Date().toISOString()
  return here.type === 'string' ? 'string' : {}
}

function operation(path, method, op) {
  const id = op.operationId
  const details = el(
    'details',
    { class: 'op', id },
    el(
      'summary',
      {},
      el('span', { class: `verb ${method}` }, method),
      el('span', { class: 'path' }, path),
      el('span', { class: 'what' }, op.summary || ''),
    ),
  )
  details.dataset.words = `${method} ${path} ${op.summary} ${op.tags.join(' ')} ${id}`.toLowerCase()
  details.addEventListener('toggle', () => {
    if (!details.open) return
    if (details.childElementCount === 1) details.append(sheet(path, method, op))
    history.replaceState(null, '', `#${id}`)
  })
  return details
}

function sheet(path, method, op) {
  const body = el('div', { class: 'body' })
  if (op.description) body.append(el('p', {}, ...withCode(op.description)))
  const right = op['x-right'] ? `needs a key that may ${op['x-right']}` : 'needs no key'
  body.append(
    el('p', {}, el('span', { class: 'pill' }, right), el('span', { class: 'pill' }, op.operationId)),
  )
  for (const parameter of op.parameters || []) {
    body.append(
      el(
        'div',
        {},
        el('span', { class: 'name' }, parameter.name),
        ' ',
        el('span', { class: 'type' }, `${typeName(parameter.schema)} in ${parameter.in}`),
        ' ',
        parameter.required ? el('span', { class: 'must' }, 'required') : undefined,
        ' ',
        el('span', { class: 'note' }, parameter.description || ''),
      ),
    )
  }
  for (const [type, media] of Object.entries(op.requestBody ? op.requestBody.content : {}))
    body.append(el('h3', {}, `Body · ${type}`), fields(media.schema || {}))
  for (const [type, media] of Object.entries(op.responses['200'].content || {})) {
    const lines = media['x-item-schema']
    body.append(
      el('h3', {}, `Answer · ${type}${lines ? ' · one per line' : ''}`),
      fields(lines || media.schema || {}),
    )
  }
  const statuses = Object.entries(op.responses).filter(([status]) => status !== '200')
  body.append(
    el('h3', {}, 'Errors'),
    el(
      'ul',
      { class: 'fields' },
      ...statuses.map(([status, { $ref }]) => {
        const response = doc.components.responses[nameOf($ref)]
        return el(
          'li',
          {},
          el('span', { class: 'name' }, status),
          ' ',
          el('span', { class: 'note' }, response.description),
        )
      }),
    ),
  )
  body.append(el('h3', {}, 'Try it'), form(path, method, op))
  return body
}

function form(path, method, op) {
  const inputs = new Map()
  const box = el('div', {})
  for (const parameter of op.parameters || []) {
    const input = el('input', { placeholder: typeName(parameter.schema) })
    inputs.set(parameter.name, [parameter, input])
    box.append(el('div', { class: 'row' }, el('label', {}, parameter.name), input))
  }
  const types = Object.keys(op.requestBody ? op.requestBody.content : {})
  const type = types.includes('application/json') ? 'application/json' : types[0]
  const multipart = type === 'multipart/form-data'
  const json = type === 'application/json'
  const text = el('textarea', { spellcheck: 'false', 'aria-label': 'body' })
  if (json) {
    text.value = JSON.stringify(example(op.requestBody.content[type].schema || {}), null, 2)
    box.append(text)
  } else if (multipart) {
    for (const [name, schema] of Object.entries(
      resolve(op.requestBody.content[type].schema).properties || {},
    )) {
      const file = Boolean(schema.contentMediaType)
      const input = el('input', { type: file ? 'file' : 'text' })
      inputs.set(`form ${name}`, [{ name, in: file ? 'file' : 'form' }, input])
      box.append(el('div', { class: 'row' }, el('label', {}, name), input))
    }
  }
  const address = () => {
    let target = path
    const query = new URLSearchParams()
    for (const [parameter, input] of inputs.values()) {
      if (parameter.in === 'path')
        target = target.replace(`{${parameter.name}}`, encodeURIComponent(input.value))
      else if (parameter.in === 'query' && input.value !== '') query.append(parameter.name, input.value)
    }
    return target + (query.size > 0 ? `?${query}` : '')
  }
  const curl = el('pre', {})
  const quote = (value) => `'${value.replaceAll("'", "'\\''")}'`
  const draw = () => {
    const lines = [`curl -X ${method} ${quote(location.origin + address())}`]
    if (op.security.length > 0) lines.push('-u "api:$WANDB_API_KEY"')
    if (json) lines.push(`-H 'content-type: application/json'`, `-d ${quote(text.value)}`)
    for (const [parameter, input] of inputs.values())
      if (parameter.in === 'file') lines.push(`-F ${quote(`${parameter.name}=@your-file`)}`)
      else if (parameter.in === 'form' && input.value)
        lines.push(`-F ${quote(`${parameter.name}=${input.value}`)}`)
    curl.textContent = lines.join(' \\\n  ')
  }
  box.addEventListener('input', draw)
  draw()
  const status = el('span', { class: 'note', role: 'status' })
  const answer = el('pre', { hidden: true })
  const send = async () => {
    status.className = 'note'
    status.textContent = 'sending…'
    const headers = $('key').value ? { authorization: `Bearer ${$('key').value}` } : {}
    const request = { method, headers }
    if (json) {
      headers['content-type'] = type
      request.body = text.value
    }
    if (multipart) {
      request.body = new FormData()
      for (const [parameter, input] of inputs.values())
        if (parameter.in === 'file' && input.files[0]) request.body.append(parameter.name, input.files[0])
        else if (parameter.in === 'form' && input.value) request.body.append(parameter.name, input.value)
    }
    const from = performance.now()
    try {
      const response = await fetch(address(), request)
      const reply = await response.text()
      status.textContent = `${response.status} · ${Math.round(performance.now() - from)} ms · ${reply.length} characters`
      status.className = response.ok ? 'ok' : 'bad'
      let shown = reply.slice(0, 100000)
      try {
        shown = JSON.stringify(JSON.parse(reply), null, 2).slice(0, 100000)
      } catch {}
      answer.textContent = shown
      answer.hidden = false
    } catch (error) {
      status.textContent = String(error)
      status.className = 'bad'
    }
  }
  const copy = el('button', { onclick: () => navigator.clipboard.writeText(curl.textContent) }, 'Copy curl')
  box.append(
    el('div', { class: 'row' }, el('button', { class: 'main', onclick: send }, 'Send'), copy, status),
    answer,
    curl,
  )
  return box
}

function search() {
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const node of document.querySelectorAll('details.op, #index a'))
    node.hidden = !words.every((word) => node.dataset.words.includes(word))
  for (const head of document.querySelectorAll('[data-group]'))
    head.hidden = ![
      ...document.querySelectorAll(`details.op[data-of="${CSS.escape(head.dataset.group)}"]`),
    ].some((op) => !op.hidden)
}

async function start() {
  // As chosen on the other pages; else as the system has it.
  document.documentElement.dataset.theme = localStorage.getItem('heddle.theme') ?? ''
  doc = await (await fetch('/openapi.json')).json()
  $('version').textContent = doc.info.version
  $('about').replaceChildren(...doc.info.description.split('\n\n').map((text) => el('p', {}, text)))
  const groups = new Map(doc.tags.map(({ name }) => [name, []]))
  for (const [path, methods] of Object.entries(doc.paths))
    for (const [method, op] of Object.entries(methods))
      groups.get(op.tags[0]).push([path, method.toUpperCase(), op])
  $('groups').replaceChildren()
  for (const [name, operations] of groups) {
    $('index').append(el('h2', { 'data-group': name }, name))
    $('groups').append(el('h2', { 'data-group': name }, name))
    for (const [path, method, op] of operations) {
      const details = operation(path, method, op)
      details.dataset.of = name
      const link = el(
        'a',
        {
          href: `#${op.operationId}`,
          onclick: () => {
            details.open = true
          },
        },
        el('span', { class: `verb ${method}` }, method === 'DELETE' ? 'DEL' : method),
        el('span', { class: 'path', title: op.summary }, path),
      )
      link.dataset.words = details.dataset.words
      $('index').append(link)
      $('groups').append(details)
    }
  }
  const open = location.hash && $(decodeURIComponent(location.hash.slice(1)))
  if (open) {
    open.open = true
    open.scrollIntoView()
  }
}
$('search').addEventListener('input', search)
addEventListener('keydown', (event) => {
  if (event.key !== '/' || /INPUT|TEXTAREA/.test(event.target.tagName)) return
  event.preventDefault()
  $('search').focus()
})
start().catch((error) => {
  $('groups').textContent = `The API description could not be loaded: ${error}`
})
