import { forgedWritesTests } from './forged-writes.tests.ts';

forgedWritesTests();
