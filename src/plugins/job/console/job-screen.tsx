import { Link } from 'react-router-dom';
import { type ScreenAddition, Tag, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import { type JobActivity, type JobInfoRow, JobInstance, scheduleTypes } from '../contract.ts';
import { jobInstanceMenu } from '../menus.ts';
import { openRunStates } from '../run-contract.ts';
import { durationText } from './duration.ts';
import { overviewMessages } from './overview-messages.ts';
import { ParamsControl } from './ParamsControl.tsx';
import { RateText } from './RateText.tsx';
import { ScheduleControl } from './ScheduleControl.tsx';
import { stateLabel } from './WorkflowRunGraph.tsx';

type ActiveJobRow = JobInfoRow & JobActivity;
const { tones } = traitsOf(JobInstance.fields.state) ?? {};

function NextFireCell({ row: { nextFire, lastRun, timeExpressionType, enable } }: { readonly row: ActiveJobRow }) {
  const t = useTranslation();
  if (nextFire) return nextFire;
  const waits = enable === 1 && timeExpressionType === scheduleTypes.fixedDelay && lastRun && openRunStates.has(lastRun.state);
  return waits ? t(overviewMessages.afterRun) : '—';
}

/** Shows the latest run with a link to it. */
function LastResultCell({ row: { lastRun } }: { readonly row: ActiveJobRow }) {
  const t = useTranslation();
  if (!lastRun) return t(overviewMessages.never);
  const { id, state, time, duration } = lastRun;
  return (
    <Link to={`${jobInstanceMenu.path}/index?id=${id}`}>
      <Tag tone={tones?.[state] ?? 'neutral'}>{t(stateLabel(state))}</Tag> {time.slice(5, 16)}
      {duration !== null && ` · ${durationText(duration, t)}`}
    </Link>
  );
}

/** Adds the activity of each job to the list, whose rows carry it, and the controls of parameters and periods to the form. */
export default (): ScreenAddition<ActiveJobRow> => ({
  inputs: { jobParams: { Control: ParamsControl }, timeExpression: { Control: ScheduleControl } },
  columns: {
    nextFire: { title: overviewMessages.nextFire, width: 170, Cell: NextFireCell },
    lastResult: { title: overviewMessages.lastResult, width: 240, Cell: LastResultCell },
    rate: { title: overviewMessages.rateColumn, width: 130, isNumber: true, Cell: ({ row: { rate } }) => <RateText rate={rate} /> },
  },
});
