import { buildCollector } from '../fetch/collector.ts';
import { createReporter } from '../progress.ts';

/** Builds the collector that checks deploy/otel/collector.yaml; without it that check is skipped. */
export async function collector(): Promise<number> {
  const task = createReporter().task('Collector', 'preparing');
  try {
    console.log(await buildCollector(task));
    task.done();
    return 0;
  } catch (error) {
    task.fail('failed');
    throw error;
  }
}
