/** Counts what a person clicks on a page: to choose from a list or to go to a field is a click, too; keys are none. */
import type { Locator, Page } from 'playwright-core'

export class Clicks {
  count = 0

  constructor(private readonly page: Page) {}

  async on(target: Locator): Promise<void> {
    this.count++
    await target.click()
  }

  link(name: string | RegExp): Promise<void> {
    const places = this.page.getByRole('main').or(this.page.getByRole('navigation'))
    return this.on(places.getByRole('link', { name }).first())
  }

  tab(name: string): Promise<void> {
    return this.on(this.page.getByRole('tab', { name, exact: true }))
  }

  button(name: string | RegExp): Promise<void> {
    return this.on(this.page.getByRole('button', { name, exact: typeof name === 'string' }))
  }

  async choose(label: string | RegExp, option: string): Promise<void> {
    this.count++
    await this.page.getByLabel(label).selectOption(option)
  }

  /** Types into a field; to go there is a click, unless it has the focus. */
  async write(label: string, text: string): Promise<void> {
    const field = this.page.getByLabel(label, { exact: true })
    if (!(await field.evaluate((element) => element === document.activeElement))) await this.on(field)
    await field.fill(text)
  }
}
