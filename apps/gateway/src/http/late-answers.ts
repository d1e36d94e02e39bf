import { attributes, count, metrics } from '@stoa/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { settingsOf, withSettings } from './route-settings.ts';

/** Limits for the start of a response, in milliseconds. */
const answerTimes = { page: 250, read: 2000, write: 5000 };
type AnswerKind = keyof typeof answerTimes;

/** The limit for the start of this route's response, in milliseconds, for writes that may take longer than others. */
export const AnswersWithin = (answerMs: number) => withSettings({ answerMs });

/** Turns of the event loop that a timely result needs to become a response, also on a busy machine. */
const turnsToAnswer = 2;

interface Wait {
  timer: NodeJS.Timeout;
  isOver: boolean;
}

const waits = new WeakMap<FastifyRequest, Wait>();

/** Ends the wait of a request once its data is loaded. Compression is excluded, since only a busy machine makes that late. */
export function endWait(request: FastifyRequest): void {
  const wait = waits.get(request);
  if (!wait) return;
  wait.isOver = true;
  clearTimeout(wait.timer);
}

/**
 * Counts responses that start late because they wait for a service. A timeout inside the limit fires before the limit's own
 * timer, also when the event loop is starved. So a lack of CPU alone does not count as late.
 */
export function countLateAnswers(app: NestFastifyApplication, timeOf = answerTimes): void {
  const isOver = async (wait: Wait) => {
    for (let turn = 0; turn < turnsToAnswer && !wait.isOver; turn += 1) await nextTurn();
    return wait.isOver;
  };
  const countLate = async (kind: AnswerKind, wait: Wait) => {
    if (!(await isOver(wait))) count(metrics.answersLate, { [attributes.answerKind]: kind });
  };
  const checkPage = async (wait: Wait, reply: FastifyReply) => {
    if (await isOver(wait)) return;
    if (isPage(reply)) count(metrics.answersLate, { [attributes.answerKind]: 'page' });
    else wait.timer = setTimeout(() => void countLate('read', wait), timeOf.read - timeOf.page);
  };
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, reply, next) => {
    if (!isRead(request)) return next();
    const wait: Wait = { timer: setTimeout(() => void checkPage(wait, reply), timeOf.page), isOver: false };
    waits.set(request, wait);
    next();
  });
  // After the body was read, since a slow upload by the client is not late.
  fastify.addHook('preHandler', (request, _reply, next) => {
    if (isRead(request)) return next();
    const { answerMs = timeOf.write } = settingsOf(request);
    const wait: Wait = { timer: setTimeout(() => void countLate('write', wait), answerMs), isOver: false };
    waits.set(request, wait);
    next();
  });
  fastify.addHook('onSend', (request, _reply, payload, next) => {
    endWait(request);
    next(null, payload);
  });
  // For clients that disconnected before the response.
  fastify.addHook('onResponse', (request, _reply, next) => {
    endWait(request);
    next();
  });
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

/** Routes of pages set their content type before the handler runs. */
const isPage = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('text/html');
