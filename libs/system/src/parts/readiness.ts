import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../problem.ts';
import type { PartName } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { answersHttp, greetsAsNats } from './answers.ts';
import { answersQueries } from './postgres.ts';

/** Checks on the public ports of the parts, because a container publishes no others. */
const answers: Record<PartName, (parts: PartsDescription) => Promise<boolean>> = {
  postgres: ({ postgres }) => answersQueries(postgres.adminUrl),
  nats: ({ nats }) => greetsAsNats(Number(new URL(nats.url).port)),
  minio: ({ minio: { endpoint, store } }) =>
    answersHttp(`${endpoint}${store === 'minio' ? '/minio/health/cluster' : '/health'}`),
  keycloak: ({ keycloak }) => answersHttp(`${keycloak.url}/realms/master`),
  mail: ({ mail }) => answersHttp(`${mail.url}/readyz`),
};

const betweenChecksMs = 60;
/** Milliseconds until a part must be ready. The first start of Keycloak migrates its database. */
const readyWithinMs = 300_000;

/**
 * Waits until a part answers.
 *
 * @param problem Called between the tries: resolves to the reason why the part can never answer, if there is one.
 * @throws Problem with that reason, or after five minutes.
 */
export async function untilReady(
  part: PartName,
  parts: PartsDescription,
  problem: () => Promise<string | undefined>,
): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (!(await answers[part](parts).catch(() => false))) {
    const reason = await problem();
    if (reason) throw new Problem(reason);
    if (performance.now() > deadline)
      throw new Problem(`${part} was not ready within ${readyWithinMs / 1000} s.`);
    await pause(betweenChecksMs);
  }
}
