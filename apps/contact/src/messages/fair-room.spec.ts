import { limits } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { hasRoom } from './fair-room.ts';

const parts = { addressParts: limits.contactAddressParts, networkParts: limits.contactNetworkParts };

/** Sends messages from every source in turns until none is accepted, and returns how many were accepted. */
function flood(limit: number, sources: readonly { address: string; network: string }[]): number {
  const taken: { address: string; network: string }[] = [];
  for (let before = -1; before < taken.length;) {
    before = taken.length;
    for (const source of sources) {
      const ofAddress = taken.filter(({ address }) => address === source.address).length;
      const ofNetwork = taken.filter(({ network }) => network === source.network).length;
      if (hasRoom(limit, { all: taken.length, ofAddress, ofNetwork }, parts)) taken.push(source);
    }
  }
  return taken.length;
}
const sources = (networks: number, addresses: number) =>
  Array.from({ length: networks * addresses }, (_, index) => ({
    address: `${index}`,
    network: `${index % networks}`,
  }));

test.each([
  ['ten addresses', 50, 10, 1],
  ['twenty addresses', 100, 20, 1],
  ['forty addresses', 100, 40, 1],
  ['ten networks of 200 addresses', 100, 10, 200],
])('%s leave room for others in a limit of %i', (_, limit, networks, addresses) => {
  const taken = flood(limit, sources(networks, addresses));
  expect(taken).toBeLessThan(limit);
  expect(hasRoom(limit, { all: taken, ofAddress: 0, ofNetwork: 0 }, parts)).toBe(true);
});

test('one network with any number of addresses has a fifth of a limit', () => {
  expect(flood(100, sources(1, 256))).toBe(20);
  expect(flood(50, sources(1, 256))).toBe(10);
});

test('new sources fill the whole limit, and no more', () => {
  expect(flood(100, sources(150, 1))).toBe(100);
});
