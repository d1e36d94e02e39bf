import { attributes, count, metrics } from '@stoa/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { settingsOf, withSettings } from './route-settings.ts';

/** Within which an answer begins, in milliseconds. */
const answerTimes = { page: 250, read: 2000, write: 5000 };
type AnswerKind = keyof typeof answerTimes;

/** Within which the answer of a route that writes begins, in milliseconds, where it may take longer than others. */
export const AnswersWithin = (answerMs: number) => withSettings({ answerMs });

/** Of the event loop, in which what came in time becomes an answer, on a machine that is busy too. */
const turnsToAnswer = 2;

interface Wait {
  timer: NodeJS.Timeout;
  isOver: boolean;
}

const waits = new WeakMap<FastifyRequest, Wait>();

/** What the answer is made of is there: compressing it takes another thread's turn, which only a machine that is busy makes late. */
export function endWait(request: FastifyRequest): void {
  const wait = waits.get(request);
  if (!wait) return;
  wait.isOver = true;
  clearTimeout(wait.timer);
}

/**
 * Counts the answers that begin too late because they wait for something. What ends a wait comes due before its time is over, and
 * timers come in their order however late all of them are: so nobody counts as late for want of a processor.
 */
export function countLateAnswers(app: NestFastifyApplication, timeOf = answerTimes): void {
  const isOver = async (wait: Wait) => {
    for (let turn = 0; turn < turnsToAnswer && !wait.isOver; turn += 1) await nextTurn();
    return wait.isOver;
  };
  const countLate = async (kind: AnswerKind, wait: Wait) => {
    if (!(await isOver(wait))) count(metrics.answersLate, { [attributes.answerKind]: kind });
  };
  const look = async (wait: Wait, reply: FastifyReply) => {
    if (await isOver(wait)) return;
    if (isPage(reply)) count(metrics.answersLate, { [attributes.answerKind]: 'page' });
    else wait.timer = setTimeout(() => void countLate('read', wait), timeOf.read - timeOf.page);
  };
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, reply, next) => {
    if (!isRead(request)) return next();
    const wait: Wait = { timer: setTimeout(() => void look(wait, reply), timeOf.page), isOver: false };
    waits.set(request, wait);
    next();
  });
  // Once it has been read: how long a phone takes to send it is not waited for here.
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
  // Of who went before there was an answer.
  fastify.addHook('onResponse', (request, _reply, next) => {
    endWait(request);
    next();
  });
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

/** Routes of pages say so before they begin. */
const isPage = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('text/html');
