import { expect } from 'vitest'
import { axeViolations, goTo } from './browser.js'
import type { Dashboard } from './dashboard.js'
import { ask } from './http.js'
import { openUser } from './user.js'

/**
 * Creates `count` accounts, then finds some of them on the dashboard: the newest in the picker of the page Plan, old ones by their wallets
 * in the picker, in the list and in the search. The simulator searches: no request asks for more than a page.
 */
export async function findAmong(count: number, { sim, page }: Dashboard): Promise<void> {
  const asked: URLSearchParams[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/_sim/accounts') asked.push(url.searchParams)
  })
  const users = [await openUser(sim), await openUser(sim), await openUser(sim)]
  await createOthers(count - 11, sim)
  while (users.length < 11) users.push(await openUser(sim))
  const [first, second, third] = users
  await goTo(page, 'plan')
  const picker = page.getByRole('combobox', { name: 'Account' })
  const offered = async () =>
    (await page.locator('#found-accounts option').all()).map((each) => each.getAttribute('value'))
  const newest = users.slice(3).map(({ id }) => id)
  await expect
    .poll(async () => (await Promise.all(await offered())).slice(0, 8))
    .toEqual(newest.reverse())
  await picker.fill(third!.wallet.slice(4, 20))
  await expect.poll(async () => Promise.all(await offered())).toEqual([third!.id])
  expect(await axeViolations(page)).toEqual([])
  await picker.fill(third!.id)
  await page.waitForURL(new RegExp(`plan/${third!.id}`))
  await picker.fill('nobody')
  await page.getByText('No account has this text.').waitFor()
  await goTo(page, 'accounts')
  await page.getByText(`1 to 25 of ${count}`).waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill(second!.wallet)
  await page.getByRole('link', { name: second!.id }).waitFor()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: 'Search' })
  await search.getByRole('textbox').fill(first!.wallet)
  await search.getByRole('link', { name: new RegExp(first!.id) }).waitFor()
  await page.keyboard.press('Escape')
  expect(Math.max(...asked.map((query) => Number(query.get('limit'))))).toBeLessThan(30)
}

/** Creates accounts that nobody signs for. */
async function createOthers(count: number, { url, apiKey }: Dashboard['sim']): Promise<void> {
  let next = 0
  const client = async () => {
    while (next < count) {
      const signer_address = `0x${(++next).toString(16).padStart(40, '0')}`
      const body = { signer_type: 'eoa', signer_address }
      const { status } = await ask(`${url}/accounts`, { method: 'POST', body, apiKey })
      expect(status).toBe(201)
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
}
