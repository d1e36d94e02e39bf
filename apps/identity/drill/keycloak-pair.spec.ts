import { identity } from '@stoa/contracts';
import {
  KeycloakPair,
  type RealmPerson,
  realmSettings,
  RealmUnderTest,
  RealmVisitor,
  type ServiceUnderTest,
  startServiceUnderTest,
  testParts,
  usesDocker,
} from '@stoa/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdentityModule } from '../src/identity.module.ts';

/**
 * Keycloak is a Java process. It starts within seconds on an idle machine, and within minutes on a busy one.
 */
const startMs = 600_000;
const wrongPasswords = 4;

// The tests start a second Keycloak from its distribution, which exists only if the parts run without Docker.
((await usesDocker()) ? describe.skip : describe)('two Keycloaks on one database', () => {
  let pair: KeycloakPair;
  let realm: RealmUnderTest;
  let service: ServiceUnderTest;
  beforeAll(async () => {
    pair = await KeycloakPair.start(testParts());
    realm = await RealmUnderTest.open(pair.url);
    service = await startServiceUnderTest(IdentityModule, {
      service: 'identity',
      folder: new URL('../', import.meta.url),
      environment: { ...realmSettings(), KEYCLOAK_URL: pair.url },
    });
  }, startMs);
  afterAll(async () => {
    await service?.stop();
    await pair?.close();
  }, startMs);

  const visitor = () => new RealmVisitor(pair.url).begin();
  async function logIn({ username, password }: RealmPerson): Promise<void> {
    const visiting = await visitor();
    await visiting.logIn(username, password);
    await visiting.takeTokens();
  }
  const expectEndPublished = async ({ uid, session }: RealmPerson) => {
    await realm.logOut(session);
    const ended = await service.events.next(identity.sessionEnded, ({ sid }) => sid === session.sid);
    expect(ended.uid).toBe(uid);
  };

  it(
    'share authentication sessions, sessions and failure counts, and lose none when one is killed',
    async () => {
      // The proxy sends requests to both Keycloaks in turn, so one sign-up uses both.
      const [person, target] = [await realm.signUp(), await realm.signUp()];
      const servers = new Set<number>();
      for (let count = 0; count < wrongPasswords; count += 1) {
        const stranger = await visitor();
        await stranger.logIn(target.username, `wrong-${count}`);
        servers.add(pair.last);
        // One extra request, so that the proxy sends the next log-in form to the other Keycloak.
        await realm.failedLogIns(target.uid);
      }
      expect([...servers].toSorted()).toEqual([0, 1]);
      for (const _ of pair.nodes) expect(await realm.failedLogIns(target.uid)).toBe(wrongPasswords);
      await expectEndPublished(await realm.signUp());

      const late = await visitor();
      const began = pair.last;
      await pair.kill(began);
      await late.logIn(person.username, person.password);
      expect(pair.last).not.toBe(began);
      await late.takeTokens();
      await realm.refresh(person.session);
      expect(await realm.failedLogIns(target.uid)).toBe(wrongPasswords);
      await expectEndPublished(person);
      await pair.startAgain(began);
      for (const _ of pair.nodes) expect(await realm.failedLogIns(target.uid)).toBe(wrongPasswords);
    },
    startMs,
  );

  it(
    'fail no log-in while one is drained',
    async () => {
      const people = [await realm.signUp(), await realm.signUp(), await realm.signUp()];
      const failed: unknown[] = [];
      let [succeeded, isOver] = [0, false];
      const lanes = people.map(async (person) => {
        while (!isOver)
          await logIn(person).then(
            () => (succeeded += 1),
            (error: unknown) => failed.push(error),
          );
      });
      await pair.stop(0);
      isOver = true;
      await Promise.all(lanes);
      expect(failed).toEqual([]);
      console.log(`${succeeded} log-ins while one of two was drained, 0 failed`);
      expect(succeeded).toBeGreaterThanOrEqual(people.length);
    },
    startMs,
  );
});
