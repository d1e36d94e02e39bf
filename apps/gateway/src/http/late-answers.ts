import { attributes, count, metrics } from '@stoa/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { settingsOf, withSettings } from './route-settings.ts';

/** Milliseconds after which a response that has not started counts as late. */
const answerTimes = { page: 250, read: 2000, write: 5000 };
type AnswerKind = keyof typeof answerTimes;

/** Sets another limit for a write that takes longer than others, in milliseconds. */
export const AnswersWithin = (answerMs: number) => withSettings({ answerMs });

/** Turns of the event loop that a finished result may need to become a response, even on a busy machine. */
const turnsToAnswer = 2;

interface Wait {
  timer: NodeJS.Timeout;
  isOver: boolean;
}

const waits = new WeakMap<FastifyRequest, Wait>();

/** Called when the data of a response is ready. Compression does not count, because only a busy machine makes it late. */
export function endWait(request: FastifyRequest): void {
  const wait = waits.get(request);
  if (!wait) return;
  wait.isOver = true;
  clearTimeout(wait.timer);
}

/**
 * Counts responses that are late because they wait for a service. If only this process lacks CPU time, results that arrived
 * in time are handled before the check, so they do not count.
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
  // Starts after the body was read, because a client may upload slowly.
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
  // Also ends the wait if the client has disconnected before the response.
  fastify.addHook('onResponse', (request, _reply, next) => {
    endWait(request);
    next();
  });
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

/** Whether the route is a page. Page routes set the content type before their handler runs. */
const isPage = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('text/html');
