export { connect } from './admin-api.ts';
export type { AdminApi } from './admin-api.ts';
export { changeAccount, signIn, signUp } from './code-flow.ts';
export type { FlowSettings, SignedIn, Tokens } from './code-flow.ts';
export { makeOperator } from './operator-role.ts';
export { syncRealm } from './sync-realm.ts';
export { RealmEnvironment } from './settings.ts';
