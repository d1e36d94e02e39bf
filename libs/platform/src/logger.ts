import { LoggerModule } from 'nestjs-pino';
import { pino } from 'pino';

/** Lines are handed over together, this long after the first at most; at the end of a process at once. */
const lineDelayMs = 50;
/** Or as soon as there are as many bytes. */
const lineBytes = 4096;

/** JSON lines; telemetry adds the trace id. Bodies, headers and personal data are never logged. */
export function loggerModule() {
  return LoggerModule.forRoot({
    pinoHttp: {
      // Each write is a job of another thread: line by line they took a twelfth of the gateway's time for an edit.
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
