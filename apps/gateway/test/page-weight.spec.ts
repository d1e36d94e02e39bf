import { type CreatorCard, creators, limits, offerings, type Thumbnail } from '@stoa/contracts';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

/** Bytes that a server may send before the client acknowledges any: ten segments of 1460 bytes (RFC 6928). */
const firstFlightBytes = 14_600;

let gateway: GatewayUnderTest;
let serviceStubs: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({
    webRoot: join(import.meta.dirname, '../../web/dist'),
    // HTTPS addresses add headers to the responses.
    settings: {
      SITE_URL: 'https://stoa.example',
      KEYCLOAK_URL: 'https://id.stoa.example',
      MEDIA_PUBLIC_URL: 'https://media.stoa.example/stoa-public',
      S3_PUBLIC_ENDPOINT: 'https://media.stoa.example',
    },
  });
  serviceStubs = new ServiceStubs(gateway);
});
afterAll(async () => {
  await serviceStubs.leave();
  await gateway.stop();
});

/** Sample creators, whose texts are as different as in a real list. */
const samples = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../tools/seed/data/creators.json'), 'utf8'),
) as { username: string; displayName: string; niches: CreatorCard['niches']; bio: string }[];

const color = () => `#${crypto.randomUUID().slice(0, 6)}`;
const picture = (path: string, widths: number[], height: number) => ({
  ...{ path, widths, width: widths.at(-1) ?? 0, height, color: color() },
});

function fullCard({ username, displayName, niches, bio }: (typeof samples)[number]) {
  const [uid, id] = [crypto.randomUUID(), crypto.randomUUID()];
  const profileImage = {
    id,
    ...picture(`profile_pictures/${uid}/${id}`, [96, 192, 256, 384, 768], 768),
  };
  const bioPreview = (bio || samples[0]?.bio || '').slice(0, limits.bioPreviewLength);
  return { uid, username, displayName, niches, profileImage, offeringCount: 6, bioPreview };
}

const thumbnail = (creatorId: string, at: number): Thumbnail =>
  picture(
    `offering_images/${creatorId}/${1_760_000_000_000 + at * 86_413_579}_${crypto.randomUUID()}`,
    [128, 192],
    144,
  );

test('the list of creators, full of cards, fits into the first ten segments of a connection', async () => {
  const items = samples.slice(0, limits.browsePageSize).map(fullCard);
  expect(items).toHaveLength(limits.browsePageSize);
  const nextCursor = Buffer.from(crypto.randomUUID()).toString('base64url');
  await serviceStubs.answer(creators.browse, { items, nextCursor, total: 60, totalIsExact: true });
  await serviceStubs.answerWith(offerings.listThumbnails, ({ creatorIds }) => ({
    lists: creatorIds.map((creatorId, at) => ({
      creatorId,
      items: Array.from({ length: limits.cardThumbnails }, (_, offering) =>
        thumbnail(creatorId, 3 * at + offering),
      ),
    })),
  }));

  const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${gateway.url}/browse-creators`, { agent: false, headers }, resolve).on('error', reject),
  );
  const sent = Buffer.concat(await response.toArray());
  expect(response.headers['content-encoding']).toBe('br');
  const html = brotliDecompressSync(sent).toString();
  expect(html.match(/<article/g)).toHaveLength(limits.browsePageSize);
  expect(html.match(/<picture/g)).toHaveLength(limits.browsePageSize * (1 + limits.cardThumbnails));
  // Counts the headers as well.
  expect(response.socket.bytesRead).toBeLessThanOrEqual(firstFlightBytes);
});
