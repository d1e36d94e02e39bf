import { inRepository, RealmUnderTest } from '@stoa/testing';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { accountActions } from '../src/asked-action.ts';

interface NamedRealm {
  readonly requiredActions: readonly { alias: string; enabled: boolean }[];
  readonly flowSteps: Readonly<Record<string, string[]>>;
  readonly clients: readonly { defaultClientScopes?: string[]; optionalClientScopes?: string[] }[];
}

// What takes nothing from an account that its owner confirmed minutes ago.
const additions = ['CONFIGURE_TOTP', 'webauthn-register', 'CONFIGURE_RECOVERY_AUTHN_CODES'];

let open: Awaited<ReturnType<RealmUnderTest['whatIsOpen']>>;
let named: NamedRealm;
beforeAll(async () => {
  open = await (await RealmUnderTest.open()).whatIsOpen();
  named = JSON.parse(await readFile(inRepository('deploy/keycloak/realm.json'), 'utf8')) as NamedRealm;
});

describe('the realm after set-up', () => {
  it('offers the actions that the realm file names, each after a log-in of the last five minutes at most, and no other', () => {
    const offered = open.actions.filter(({ enabled }) => enabled);
    expect(offered.map(({ alias }) => alias).toSorted()).toEqual([...accountActions].toSorted());
    expect(offered.map(({ alias, config }) => [alias, config['max_auth_age']])).toEqual(
      offered.map(({ alias }) => [alias, additions.includes(alias) ? '300' : '0']),
    );
    expect(offered.map(({ alias }) => alias).toSorted()).toEqual(
      named.requiredActions.flatMap(({ alias, enabled }) => (enabled ? [alias] : [])).toSorted(),
    );
    expect(open.actions.filter(({ defaultAction }) => defaultAction)).toEqual([]);
  });

  // A new version of Keycloak that ships another one is looked at before it is taken.
  it('knows no action and no flow but these', () => {
    expect(open.actions.map(({ alias }) => alias).toSorted()).toEqual([
      'CONFIGURE_RECOVERY_AUTHN_CODES',
      'CONFIGURE_TOTP',
      'TERMS_AND_CONDITIONS',
      'UPDATE_EMAIL',
      'UPDATE_PASSWORD',
      'UPDATE_PROFILE',
      'VERIFY_EMAIL',
      'VERIFY_PROFILE',
      'delete_account',
      'delete_credential',
      'idp_link',
      'update_user_locale',
      'webauthn-register',
      'webauthn-register-passwordless',
    ]);
    expect(open.flows.toSorted()).toEqual([
      'browser',
      'clients',
      'direct grant',
      'docker auth',
      'first broker login',
      'registration',
      'reset credentials',
    ]);
  });

  it('has every step off that the realm file does not name and that can be off', () => {
    const others = open.steps.filter(({ flow, step }) => !named.flowSteps[flow]?.includes(step));
    expect(others.filter(({ isOn, canBeOff }) => isOn && canBeOff)).toEqual([]);
    expect(others.length).toBeGreaterThan(10);
    // In a flow that we use nothing else is on at all.
    const used = others.filter(({ flow, isOn }) => isOn && named.flowSteps[flow]);
    expect(used).toEqual([]);
  });

  it('gives its clients the scopes that the realm file names, and no other', () => {
    const ours = named.clients.flatMap(({ defaultClientScopes = [], optionalClientScopes = [] }) => [
      ...defaultClientScopes,
      ...optionalClientScopes,
    ]);
    expect(open.scopes.toSorted()).toEqual([...new Set(ours)].toSorted());
  });
});
