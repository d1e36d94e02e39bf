import type { Burn } from './burn.ts';
import { budget, type Journey } from './journey.ts';
import { alertName, burns, runbook } from './rules.ts';

/**
 * The burn rate at which each alert fires, by its suffix (Google, Site Reliability Workbook, table 5-8).
 * Repeated here, so that a mistake in the rules fails their tests.
 */
const firesAt: Readonly<Record<string, number>> = { BudgetBurnsFast: 14.4, BudgetBurns: 6, BudgetLeaks: 1 };
/** The number of failures at low traffic that must not fire an alert. */
const quietNight = 4;

/** Requests per minute in the tests; every share of them is a whole number. */
const everyMinute = 100_000;

interface Traffic {
  /** Requests per minute with a good answer in time. */
  readonly good?: string;
  /** Requests per minute with a good answer that is too late. */
  readonly late?: string;
  /** Requests per minute with status 503. */
  readonly failed?: string;
}

/** A promtool test file: the cases in which each alert of a journey must fire and must not fire. */
export function ruleTests(journey: Journey): object {
  return {
    rule_files: [`../rules/${journey.name}.yaml`],
    evaluation_interval: '2m',
    tests: burns.flatMap((burn) => {
      const minutes = minutesUntilFiring(burn);
      const threshold = (firesAt[burn.suffix] ?? Number.NaN) * budget(journey);
      const share = 1.25 * threshold;
      const bad = Math.round(share * everyMinute);
      const steady = (perMinute: number) => `0+${perMinute}x${minutes}`;
      const test = (what: string, traffic: Traffic, fires: boolean, value = share) => ({
        name: `${alertName(journey, burn)}: ${what}`,
        interval: '1m',
        input_series: series(journey, traffic),
        alert_rule_test: [
          {
            eval_time: `${minutes}m`,
            alertname: alertName(journey, burn),
            exp_alerts: fires ? [fired(journey, burn, value)] : [],
          },
        ],
      });
      const fewer = Math.round(0.8 * threshold * everyMinute);
      const windowsMatter = [
        test('too many requests fail', { good: steady(everyMinute - bad), failed: steady(bad) }, true),
        test(
          'the burn rate stays below the threshold',
          { good: steady(everyMinute - fewer), failed: steady(fewer) },
          false,
        ),
        test(
          'the failures have stopped',
          { good: steady(everyMinute), failed: overAfter(burn, minutes, everyMinute) },
          false,
        ),
      ];
      // Tests the definition of a failure only for the alert that is fastest to evaluate, because it is the
      // same for all three.
      if (burn !== burns[0]) return windowsMatter;
      return [
        ...windowsMatter,
        test('too many answers are late', { good: steady(everyMinute - bad), late: steady(bad) }, true),
        test('not one request succeeds', { failed: steady(everyMinute) }, true, 1),
        test(
          'few failures without other traffic',
          { good: steady(0), failed: `0 ${quietNight}x${minutes}` },
          false,
        ),
      ];
    }),
  };
}

/** Failures at first, then none for longer than the short window. */
function overAfter({ short }: Burn, minutes: number, perMinute: number): string {
  const failing = minutes - inMinutes(short) - 2;
  return `0+${perMinute}x${failing} ${failing * perMinute}x${minutes - failing}`;
}

/** Minutes until an alert fires: both windows need enough data, and the alert waits. */
const minutesUntilFiring = ({ short, wait }: Burn) => inMinutes(short) + inMinutes(wait) + 60;

function inMinutes(duration: string): number {
  const unit = { m: 1, h: 60, d: 1440 }[duration.at(-1) ?? ''] ?? Number.NaN;
  return Number.parseInt(duration, 10) * unit;
}

/** The histogram of a journey's first route, and of another route that always fails. */
function series(journey: Journey, traffic: Traffic): object[] {
  const at = `job="gateway",http_request_method="${journey.methods[0]}",http_route="${journey.routes[0]}"`;
  const counted = (values: string, status: number, inTime: boolean, where = at) => [
    { series: `${metric}_count{${where},http_response_status_code="${status}"}`, values },
    {
      series: `${metric}_bucket{${where},http_response_status_code="${status}",le="${bound(journey)}"}`,
      values: inTime ? values : '0x1440',
    },
  ];
  return [
    ...(traffic.good ? counted(traffic.good, 200, true) : []),
    ...(traffic.late ? counted(traffic.late, 201, false) : []),
    ...(traffic.failed ? counted(traffic.failed, 503, true) : []),
    ...counted('0+10x1440', 500, true, at.replace(/http_route=".*"/, 'http_route="/api/elsewhere"')),
  ];
}

const metric = 'http_server_request_duration_seconds';
const bound = ({ seconds }: Journey) => (Number.isInteger(seconds) ? seconds.toFixed(1) : String(seconds));

function fired(journey: Journey, burn: Burn, value: number): object {
  const percent = `${Number((value * 100).toPrecision(4))}%`;
  return {
    exp_labels: { severity: burn.severity, journey: journey.name },
    exp_annotations: {
      summary: `${journey.title}: the error budget burns ${firesAt[burn.suffix]} times too fast`,
      description:
        `${percent} of the requests of the last ${burn.long} failed or took longer than ` +
        `${journey.seconds} s, promised is ${journey.objective} %; ${burn.means}.`,
      runbook: runbook(journey, burn),
    },
  };
}
