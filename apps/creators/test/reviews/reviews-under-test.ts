import { type Caller, creators, type ReviewCase, type ReviewQuery } from '@stoa/contracts';
import { makeOperatorCaller } from '@stoa/testing';
import { startCreators } from '../creators-under-test.ts';

type Queue = ReviewQuery['queue'];
export type ReviewsUnderTest = Awaited<ReturnType<typeof startReviews>>;

/** The service with an operator, and the queues that the operator sees. */
export async function startReviews() {
  const service = await startCreators();
  const operator = makeOperatorCaller();
  await service.ask(creators.open, {}, operator);

  /** Every page of a queue. */
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
