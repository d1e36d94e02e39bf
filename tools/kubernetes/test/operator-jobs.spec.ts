import { inRepository } from '@stoa/system';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KubeObject, type Workload } from '../src/objects.ts';
import { renderComponents } from '../src/render.ts';
import { kustomize } from './built.ts';

const run = promisify(execFile);
const hasJq = await run('jq', ['--version']).then(
  () => true,
  () => false,
);
if (!hasJq)
  console.warn('jq is missing; the documented commands for operators need it, so they are not tested.');

/** The first code block of a document that contains these words. */
function commandsOf(document: string, words: string): string {
  const text = readFileSync(inRepository(document), 'utf8');
  const block = [...text.matchAll(/```sh\n(.*?)```/gs)].find(([, commands]) => commands?.includes(words));
  return (block?.[1] ?? '').replaceAll('…', '');
}

// Fields that the API server adds to a Job's template make a copied Job invalid.
const asServed = (job: Workload) => {
  const served = structuredClone(job) as { spec: { template: { metadata: { labels: object } } } };
  Object.assign(served.spec.template.metadata.labels, {
    'batch.kubernetes.io/controller-uid': 'u',
    'batch.kubernetes.io/job-name': 'j',
    'controller-uid': 'u',
    'job-name': 'j',
  });
  return JSON.stringify(served);
};

(hasJq ? describe : describe.skip)('the commands that run a Job by hand', () => {
  let folder: string;
  let objects: KubeObject[];
  const pattern = (name: string) => objects.find(({ metadata }) => metadata.name === name) as Workload;

  /** Runs commands with a kubectl that knows the Jobs of the base. Returns the objects that they create. */
  async function created(commands: string): Promise<Workload[]> {
    rmSync(join(folder, 'created'), { force: true });
    await run('bash', ['-euc', commands], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` },
    });
    const made = readFileSync(join(folder, 'created'), 'utf8');
    return made
      .split('\0')
      .filter(Boolean)
      .map((one) => JSON.parse(one) as Workload);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stoa-operator-'));
    objects = await renderComponents(kustomize, ['nats', 'postgres', 'minio', 'keycloak', 'mail', 'images']);
    for (const name of ['dead-letters', 'reconcile', 'copy-objects'])
      writeFileSync(join(folder, `${name}.json`), asServed(pattern(name)));
    const { jobTemplate } = (pattern('backup') as unknown as { spec: { jobTemplate: object } }).spec;
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'restore' }, ...jobTemplate };
    writeFileSync(join(folder, 'restore.json'), JSON.stringify(job));
    const stub = [
      '#!/bin/sh',
      'case "$*" in',
      '  "-n stoa get job "*) cat "$5.json" ;;',
      '  "-n stoa create job "*" --from=cronjob/backup "*) cat restore.json ;;',
      '  "create -f -"*) { cat; printf "\\\\0"; } >> created; echo job/made ;;',
      'esac',
    ];
    writeFileSync(join(folder, 'kubectl'), stub.join('\n'), { mode: 0o755 });
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('run dead-letters and reconcile with the network policies of their Jobs', async () => {
    const jobs = await created(commandsOf('docs/operate/events.md', 'stoa_job()'));
    const wanted = [
      ['dead-letters', 'list'],
      ['dead-letters', 'replay', '--all'],
      ['reconcile', '--repair'],
    ];
    expect(jobs.map((job) => job.spec.template.spec.containers[0]?.args)).toEqual(
      wanted.map((args) => ['tools/stack/src/main.ts', ...args]),
    );
    for (const [index, { metadata, spec }] of jobs.entries()) {
      const name = wanted[index]?.[0] ?? '';
      const { template } = pattern(name).spec;
      expect(metadata).toEqual({ generateName: `${name}-`, namespace: 'stoa' });
      expect(spec).not.toHaveProperty('suspend');
      expect(spec.template.metadata.labels).toEqual(template.metadata.labels);
      expect(spec.template.spec.containers[0]?.env).toEqual(template.spec.containers[0]?.env);
    }
  });

  it('copy the objects to another store with its key, from a pod that reaches both', async () => {
    const [first, last] = await created(
      [
        commandsOf('docs/operate/events.md', 'stoa_job()'),
        commandsOf('docs/operate/copy-objects.md', 'stoa_job copy-objects'),
      ].join('\n'),
    ).then((jobs) => jobs.slice(-2));
    expect(first?.spec.template.spec.containers[0]?.args).toEqual([
      'tools/stack/src/main.ts',
      ...['copy-objects', '--to', 'https://s3.example.com'],
    ]);
    expect(last?.spec.template.spec.containers[0]?.args?.at(-1)).toBe('--delete');
    const { labels } = last!.spec.template.metadata;
    expect(labels).toMatchObject({
      'app.kubernetes.io/name': 'copy-objects',
      'stoa/calls-backup-store': 'true',
    });
    expect(last?.spec.template.spec.containers[0]?.env?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['COPY_TO_ACCESS_KEY', 'COPY_TO_SECRET_KEY', 'MINIO_ROOT_PASSWORD']),
    );
  });

  it("restore from the place of the CronJob's backups, with the key", async () => {
    const [job] = await created(commandsOf('docs/operate/restore.md', 'create job restore'));
    const [container] = job?.spec.template.spec.containers ?? [];
    expect(container?.args).toEqual(['tools/stack/src/main.ts', 'restore', '/backups']);
    expect(container?.env?.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'BACKUP_IDENTITY',
        'BACKUP_VERIFICATION_KEY',
        'POSTGRES_PASSWORD',
        'NATS_PROVISION_PASSWORD',
      ]),
    );
    expect(job?.spec).not.toHaveProperty('activeDeadlineSeconds');
  });

  it('let one backup remove most of the old ones', async () => {
    const [job] = await created(commandsOf('docs/operate/backup.md', 'create job thin-out'));
    const [container] = job?.spec.template.spec.containers ?? [];
    expect(container?.args?.slice(1)).toEqual(['backup', '/backups', '--keep-days', '30', '--remove-most']);
  });
});
