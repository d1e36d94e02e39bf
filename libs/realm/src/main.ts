import { settingsFromEnvironment } from './settings.ts';
import { syncRealm } from './sync-realm.ts';

try {
  await syncRealm({ ...settingsFromEnvironment(process.env), log: (line) => console.log(line) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
