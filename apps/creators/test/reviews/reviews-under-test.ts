import { type Caller, creators, type ReviewCase, type ReviewQuery } from '@stoa/contracts';
import { makeOperatorCaller } from '@stoa/testing';
import { startCreators } from '../creators-under-test.ts';

type Queue = ReviewQuery['queue'];
export type ReviewsUnderTest = Awaited<ReturnType<typeof startReviews>>;

/** Starts the service with an operator. Returns functions that read the operator's queues. */
export async function startReviews() {
  const service = await startCreators();
  const operator = makeOperatorCaller();
  await service.ask(creators.open, {}, operator);

  /** All pages of a queue, one after the other. */
  async function pagesOf(queue: Queue): Promise<ReviewCase[][]> {
    const pages: ReviewCase[][] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await service.ask(creators.listCases, { queue, ...(cursor && { cursor }) }, operator);
      pages.push(page.items);
      cursor = page.nextCursor;
    }
    return pages;
  }
  const casesOf = async ({ uid }: Caller, queue: Queue = 'waiting') =>
    (await pagesOf(queue)).flat().filter((one) => one.creatorId === uid);

  return { service, operator, pagesOf, casesOf };
}
