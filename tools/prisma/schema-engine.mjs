#!/usr/bin/env node
// Prisma's command line uses a native schema engine that it downloads from its vendor. npm has the same
// engine as WebAssembly. This program wraps it in the JSON-RPC interface of the native one, so that
// migrations need only npm. PRISMA_SCHEMA_ENGINE_BINARY points here.
import console from 'node:console';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runDatabaseCommand } from './engine/database-command.mjs';
import { createDatabases } from './engine/databases.mjs';
import { serve } from './engine/json-rpc.mjs';
import { loadEngine, panicMessage } from './engine/wasm-engine.mjs';

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: { datamodels: { type: 'string', multiple: true }, datasource: { type: 'string' } },
});
const { url = 'postgresql://127.0.0.1:1/none' } = JSON.parse(String(values.datasource ?? '{}'));
const databases = createDatabases(url);

/** Prisma reads the engine's log as one JSON object per line. */
const log = (level, fields) =>
  console.error(JSON.stringify({ target: 'schema_engine::logger', level, fields }));

process.on('uncaughtException', (error) => {
  log('ERROR', { message: panicMessage() || String(error?.stack ?? error) });
  // Exits with 101 after a panic, like a native program.
  process.exit(panicMessage() ? 101 : 1);
});

if (positionals[0] === 'cli') {
  process.exit(await runDatabaseCommand(databases, String(positionals[1]), log));
}
await serve(await loadEngine(databases, values.datamodels?.map(String)), databases);
