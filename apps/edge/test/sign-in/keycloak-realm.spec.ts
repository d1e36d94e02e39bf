import { inRepository, RealmUnderTest } from '@stoa/testing';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { accountActions } from '../../src/forms/account-actions.ts';

interface NamedRealm {
  readonly requiredActions: readonly { alias: string; enabled: boolean }[];
  readonly flowSteps: Readonly<Record<string, string[]>>;
  readonly clients: readonly { defaultClientScopes?: string[]; optionalClientScopes?: string[] }[];
}

// Actions that only add something to the account need no new log-in for five minutes.
const additions = ['CONFIGURE_TOTP', 'webauthn-register', 'CONFIGURE_RECOVERY_AUTHN_CODES'];

let open: Awaited<ReturnType<RealmUnderTest['enabledFeatures']>>;
let named: NamedRealm;
beforeAll(async () => {
  open = await (await RealmUnderTest.open()).enabledFeatures();
  named = JSON.parse(await readFile(inRepository('deploy/keycloak/realm.json'), 'utf8')) as NamedRealm;
});

describe('the realm after set-up', () => {
  it('offers exactly the actions of the realm file, each after a log-in of at most five minutes ago', () => {
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

  // If a release of Keycloak adds an action or a flow, this test fails, so that an engineer reviews it.
  it('has exactly these actions and flows', () => {
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

  it('disables every step that the realm file does not name and that can be disabled', () => {
    const others = open.steps.filter(({ flow, step }) => !named.flowSteps[flow]?.includes(step));
    expect(others.filter(({ isOn, canBeOff }) => isOn && canBeOff)).toEqual([]);
    expect(others.length).toBeGreaterThan(10);
    // Flows that this realm uses contain no other enabled step.
    const used = others.filter(({ flow, isOn }) => isOn && named.flowSteps[flow]);
    expect(used).toEqual([]);
  });

  it('gives its clients exactly the scopes of the realm file', () => {
    const ours = named.clients.flatMap(({ defaultClientScopes = [], optionalClientScopes = [] }) => [
      ...defaultClientScopes,
      ...optionalClientScopes,
    ]);
    expect(open.scopes.toSorted()).toEqual([...new Set(ours)].toSorted());
  });
});
