import type { Burn } from './burn.ts';
import { budget, type Journey } from './journey.ts';
import { readBurns } from './open-slo.ts';
import { errorRatio, failures, requests } from './queries.ts';

export const burns = readBurns();

/** Fewer failures than this in the long window fire no alert, whatever their share at low traffic. */
const leastFailures = 5;

const windows = ['5m', '30m', '1h', '6h', '3d'] as const;

export const alertName = ({ name }: Journey, { suffix }: Burn): string =>
  `${name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}${suffix}`;

/** The path of an alert's runbook section in the repository. */
export const runbook = (journey: Journey, burn: Burn): string =>
  `docs/operate/runbooks/${journey.name}.md#${alertName(journey, burn).toLowerCase()}`;

/** A Prometheus rule file with the recording rules and alerts of a journey. */
export function rules(journey: Journey): object {
  const labels = { journey: journey.name };
  return {
    groups: [
      {
        name: `journey-${journey.name}`,
        rules: [
          ...windows.map((window) => ({
            record: `journey:errors:ratio_rate${window}`,
            expr: errorRatio(journey, window),
            labels,
          })),
          ...burns.map(({ long }) => ({
            record: `journey:failures:increase${long}`,
            expr: failures(journey, long),
            labels,
          })),
          { record: 'journey:requests:rate5m', expr: requests(journey, '5m'), labels },
          ...burns.map((burn) => alert(journey, burn)),
        ],
      },
    ],
  };
}

function alert(journey: Journey, burn: Burn): object {
  const is = `{journey="${journey.name}"}`;
  const most = Number((burn.factor * budget(journey)).toPrecision(6));
  return {
    alert: alertName(journey, burn),
    expr: [
      `journey:errors:ratio_rate${burn.long}${is} > ${most}`,
      `and journey:errors:ratio_rate${burn.short}${is} > ${most}`,
      `and journey:failures:increase${burn.long}${is} >= ${leastFailures}`,
    ].join('\n'),
    for: burn.wait,
    labels: { severity: burn.severity, journey: journey.name },
    annotations: {
      summary: `${journey.title}: the error budget burns ${burn.factor} times too fast`,
      description:
        `{{ $value | humanizePercentage }} of the requests of the last ${burn.long} failed or took longer ` +
        `than ${journey.seconds} s, promised is ${journey.objective} %; ${burn.means}.`,
      runbook: runbook(journey, burn),
    },
  };
}
