import { LoggerModule } from 'nestjs-pino';

/** JSON lines; telemetry adds the trace id. Bodies, headers and personal data are never logged. */
export function loggerModule() {
  return LoggerModule.forRoot({
    pinoHttp: {
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
