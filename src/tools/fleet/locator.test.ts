import { expect, test } from 'vitest'
import { DirectoryError, type FoundLease, NotAnnouncedYet } from './directory.js'
import { createLocator } from './locator.js'

const lease: FoundLease = {
  id: 'wld_1',
  keyHash: 'aa',
  worker: { id: 'one', url: 'http://10.0.0.1:4100' },
  leaseSeconds: 60,
  leaseUntilMs: 0,
}

/** A directory that answers in this order, and the last for ever. */
function answering(...answers: (FoundLease | undefined | Error)[]) {
  const asked: string[] = []
  const answer = async (by: string) => {
    asked.push(by)
    const next = answers.length > 1 ? answers.shift() : answers[0]
    if (next instanceof Error) throw next
    return next
  }
  return { asked, ofId: answer, ofKeyHash: answer }
}

test('default: a world that was found is known by its id and its key, and asked for no more', async () => {
  const directory = answering(lease)
  const locator = createLocator(directory)
  expect(locator.known({ id: 'wld_1' })).toBeUndefined()
  expect(await locator.find({ id: 'wld_1' })).toEqual(lease)
  expect(locator.known({ keyHash: 'aa' })).toEqual(lease)
  expect(directory.asked).toEqual(['wld_1'])
})

test('behavior: a world that the directory may have forgotten is waited for, until it is told again or there is none', async () => {
  const toldLate = answering(new NotAnnouncedYet(), new NotAnnouncedYet(), lease)
  expect(await createLocator(toldLate).find({ keyHash: 'aa' })).toEqual(lease)
  expect(toldLate.asked).toEqual(['aa', 'aa', 'aa'])
  const never = answering(new NotAnnouncedYet(), undefined)
  expect(await createLocator(never).find({ keyHash: 'bb' })).toBeUndefined()
})

test('behavior: the same while the directory has only just been reached', async () => {
  const directory = answering(undefined)
  let isNew = true
  const locator = createLocator(directory, () => {
    if (directory.asked.length === 3) isNew = false
    return isNew
  })
  expect(await locator.find({ id: 'wld_2' })).toBeUndefined()
  expect(directory.asked).toHaveLength(3)
})

test('error: a directory that goes on forgetting is not waited for without end', async () => {
  const directory = answering(new NotAnnouncedYet())
  await expect(createLocator(directory).find({ id: 'wld_1' })).rejects.toThrow(NotAnnouncedYet)
  expect(directory.asked.length).toBeGreaterThan(3)
})

test('error: a directory that cannot be asked is not asked again', async () => {
  const directory = answering(new DirectoryError('it is away'))
  await expect(createLocator(directory).find({ id: 'wld_1' })).rejects.toThrow('it is away')
  expect(directory.asked).toHaveLength(1)
})

test('behavior: a world whose worker is gone stays lost, with the reason', async () => {
  const locator = createLocator(answering(lease))
  locator.lose('one', 'it takes no connections any more')
  const lost = { ...lease, lost: 'it takes no connections any more' }
  expect(await locator.find({ id: 'wld_1' })).toEqual(lost)
  expect(await locator.find({ keyHash: 'aa' })).toEqual(lost)
})

test('behavior: a lost world is asked for again, since it may have been given back elsewhere; what is known stays while nobody can be asked', async () => {
  const directory = answering(lease, new DirectoryError('it is away'), undefined)
  const locator = createLocator(directory)
  await locator.find({ id: 'wld_1' })
  locator.lose('one', 'it takes no connections any more')
  expect(locator.known({ id: 'wld_1' })).toBeUndefined()
  expect((await locator.find({ id: 'wld_1' }))?.lost).toBe('it takes no connections any more')
  expect(await locator.find({ id: 'wld_1' })).toBeUndefined()
})
