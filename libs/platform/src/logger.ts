import { LoggerModule } from 'nestjs-pino';
import { pino } from 'pino';

/**
 * The longest delay in milliseconds of a line before it is written. At the end of a process all lines are
 * flushed.
 */
const lineDelayMs = 50;
/** Buffered bytes that are written without further delay. */
const lineBytes = 4096;

/** JSON lines; telemetry adds the trace id. Bodies, headers and personal data are never logged. */
export function loggerModule() {
  return LoggerModule.forRoot({
    pinoHttp: {
      // Each write is a job of a worker thread. One per line took a twelfth of the gateway's CPU time in a benchmark
      // of edits.
      stream: pino.destination({ sync: false, minLength: lineBytes, periodicFlush: lineDelayMs }),
      level: process.env['LOG_LEVEL'] ?? 'info',
      base: { service: process.env['SERVICE_NAME'] },
      messageKey: 'message',
      autoLogging: false,
      quietReqLogger: true,
      serializers: {
        req: (request: { method?: string; url?: string }) => ({
          method: request.method,
          path: request.url?.split('?')[0],
        }),
        res: (response: { statusCode?: number }) => ({ status: response.statusCode }),
      },
    },
  });
}
