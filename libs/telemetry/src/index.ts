export * from './messages.ts';
export * from './names.ts';
