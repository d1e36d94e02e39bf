import { expect, jest, test } from '@jest/globals';
import type { CreatorsConfig } from '../creators.config.ts';
import type { CreatorsRepository } from '../profiles/creators.repository.ts';
import type { ReservedUsernames } from '../profiles/reserved-usernames.repository.ts';
import type { Reviews } from './reviews.repository.ts';
import { ReviewsService } from './reviews.service.ts';

const steps = ['names', 'announcements', 'cases', 'sources'] as const;

/** A service in which one step fails. Each step needs two batches. */
function serviceFailingAt(failing: (typeof steps)[number]) {
  const done: string[] = [];
  const step = (name: (typeof steps)[number]) =>
    jest.fn(async () => {
      if (name === failing) throw new Error(`${name} fails`);
      done.push(name);
      return done.filter((one) => one === name).length < 2;
    });
  const reviews = {
    deleteClosed: step('cases'),
    deleteExpiredSources: step('sources'),
  } as unknown as Reviews;
  const reserved = {
    deleteExpired: step('names'),
    announceBatch: step('announcements'),
  } as unknown as ReservedUsernames;
  const config = { REVIEW_DAYS: 180 } as CreatorsConfig;
  return { done, service: new ReviewsService(reviews, {} as CreatorsRepository, reserved, config) };
}

test.each(steps)('a failure of the step for %s does not stop the other steps', async (failing) => {
  const { done, service } = serviceFailingAt(failing);
  await expect(service.deleteExpired(new AbortController().signal)).rejects.toThrow(`${failing} fails`);
  const twice = steps.flatMap((name) => (name === 'names' ? [name] : [name, name]));
  expect(done).toEqual(twice.filter((name) => name !== failing));
});
