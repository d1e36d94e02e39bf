import { requireViewerPrerequisites } from '../fetch/prerequisites.ts';
import { zipkinServer } from '../fetch/zipkin.ts';
import type { ProcessSpec } from '../processes/supervised.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import type { Reporter } from '../progress.ts';
import { baseEnvironment } from '../settings/environment.ts';
import { type Ports } from '../settings/ports.ts';
import { answersHttp } from './answers.ts';
import { requireFreeViewerPort } from './busy-ports.ts';

const addressOf = ({ traces }: Ports) => `http://127.0.0.1:${traces}`;

/** The settings that send the apps' traces to the viewer. It shows no metrics. */
export const viewerEnvironment = (ports: Ports): Record<string, string> => ({
  OTEL_TRACES_EXPORTER: 'zipkin',
  OTEL_EXPORTER_ZIPKIN_ENDPOINT: `${addressOf(ports)}/api/v2/spans`,
  OTEL_BSP_SCHEDULE_DELAY: '1000',
});

/** Starts Zipkin, which keeps traces in memory. */
export async function startViewer(ports: Ports, supervisor: Supervisor, reporter: Reporter): Promise<void> {
  const task = reporter.task('Traces', 'preparing');
  try {
    await requireFreeViewerPort(ports);
    await requireViewerPrerequisites();
    const jar = await zipkinServer(task);
    task.update('starting');
    await supervisor.start(viewerProcess(jar, ports));
    task.done();
  } catch (error) {
    task.fail('failed');
    throw error;
  }
}

function viewerProcess(jar: string, ports: Ports): ProcessSpec {
  return {
    name: 'traces',
    command: 'java',
    args: [
      ...['-Xmx256m', '-XX:TieredStopAtLevel=1', '-jar', jar],
      ...['ip=127.0.0.1', `port=${ports.traces}`, 'protocols[0]=http'].map(
        (set) => `--armeria.ports[0].${set}`,
      ),
      '--logging.level.root=warn',
    ],
    env: baseEnvironment(),
    readyWithinMs: 120_000,
    ready: () => answersHttp(`${addressOf(ports)}/health`),
  };
}
