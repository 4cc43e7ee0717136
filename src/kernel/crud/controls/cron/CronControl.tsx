import { Input, TimePicker } from '@arco-design/web-react';
import { useId, useState } from 'react';
import { isCron, isQuartz } from '#shared/cron';
import { Integer } from '#shared/fields';
import { fieldProblem } from '#shared/validation';
import { useService } from '../../../base/react/services.tsx';
import { Locale } from '../../../platform/i18n/locale.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { NamedSelect } from '../../../ui/primitives/NamedSelect.tsx';
import { type ControlProps, inputProps } from '../control.ts';
import { NumberInput } from '../NumberInput.tsx';
import { type CronKind, type CronPlan, formatPlan, parsePlan, planOfKind } from './cron-plan.ts';
import './cron.css';
import { Cron } from 'croner';
import cronstrue from 'cronstrue';
import 'cronstrue/locales/zh_CN';
import { Session } from '../../../platform/session/session.ts';

const shownRuns = 10;
const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Explains an expression and lists its next runs in the zone of the deployment or in another one. */
function CronDescription({ expression }: { readonly expression: string }) {
  const t = useTranslation();
  const id = useId();
  const { language } = useService(Locale);
  // The server evaluates expressions in its own zone.
  const zone = useService(Session).user?.time_zone ?? ownZone;
  const [shownIn, setShownIn] = useState(zone);
  const format = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: shownIn,
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  const runs = nextRuns(expression, zone);
  return (
    <div className="crud-cron__meaning">
      <p>{describeCron(expression, language)}</p>
      <div className="crud-cron__next">
        <span id={id}>{t(runs.length > 0 ? 'form.cronNext' : 'form.cronNever')}</span>
        {runs.length > 0 && (
          <NamedSelect
            size="mini"
            name={t('form.cronZone')}
            className="crud-cron__zone"
            showSearch
            value={shownIn}
            onChange={setShownIn}
            options={[...new Set([zone, ownZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          />
        )}
      </div>
      <ol aria-labelledby={id}>
        {runs.map((run) => (
          <li key={run.getTime()}>{format.format(run)}</li>
        ))}
      </ol>
    </div>
  );
}

function nextRuns(expression: string, timezone: string): Date[] {
  try {
    return new Cron(expression, { paused: true, sloppyRanges: true, alternativeWeekdays: isQuartz(expression), timezone }).nextRuns(shownRuns);
  } catch {
    return [];
  }
}

function describeCron(expression: string, language: string): string {
  try {
    return cronstrue.toString(expression, {
      locale: language === 'zh' ? 'zh_CN' : 'en',
      use24HourTimeFormat: true,
      dayOfWeekStartIndexZero: !isQuartz(expression),
    });
  } catch {
    return expression;
  }
}

const kinds = {
  minutes: 'form.cronMinutes',
  hourly: 'form.cronHourly',
  daily: 'form.cronDaily',
  weekly: 'form.cronWeekly',
  monthly: 'form.cronMonthly',
  custom: 'form.cronCustom',
} as const;

/** Edits a schedule with common presets or as an expression, and shows its meaning and its next runs. */
export default function CronControl(props: ControlProps) {
  const t = useTranslation();
  const { id, field, disabled, isInvalid, describedBy, value, onChange } = props;
  const expression = typeof value === 'string' ? value : '';
  // A number out of bounds makes the expression invalid, and its plan is then known here only.
  const [typed, setTyped] = useState<{ readonly expression: string; readonly plan: CronPlan }>();
  const read = typed?.expression === expression ? typed.plan : parsePlan(expression);
  // An operator who writes an expression keeps the text field, even when the expression matches a preset.
  const [isCustom, setIsCustom] = useState(read.kind === 'custom' && expression !== '');
  const kind: CronKind | undefined = isCustom ? 'custom' : expression === '' ? undefined : read.kind;
  const select = (selected: CronKind) => {
    setIsCustom(selected === 'custom');
    onChange(formatPlan(planOfKind(selected, expression)) || undefined);
  };
  const change = (plan: CronPlan) => {
    const changed = formatPlan(plan);
    setTyped({ expression: changed, plan });
    onChange(changed);
  };
  return (
    <div className="crud-cron">
      <div className="crud-cron__plan">
        <NamedSelect
          id={id}
          name={t('form.cronEvery')}
          placeholder={t('form.choose')}
          describedBy={describedBy}
          required={field.required}
          disabled={disabled}
          options={Object.entries(kinds).map(([kindValue, title]) => ({ value: kindValue, label: t(title) }))}
          value={kind}
          onChange={select}
          {...(isInvalid ? { status: 'error' as const } : {})}
        />
        {kind === 'custom' ? (
          <Input
            {...inputProps(props)}
            id={`${id}-own`}
            aria-label={t('form.cronExpression')}
            placeholder="0 0 8 * * ?"
            value={expression}
            onChange={(typed) => onChange(typed || undefined)}
          />
        ) : (
          kind && <PlanFields plan={read} disabled={disabled} onChange={change} />
        )}
      </div>
      {isCron(expression) && <CronDescription expression={expression} />}
    </div>
  );
}

interface PlanFieldsProps {
  readonly plan: CronPlan;
  readonly disabled: boolean;
  readonly onChange: (plan: CronPlan) => void;
}

function PlanFields({ plan, disabled, onChange }: PlanFieldsProps) {
  const t = useTranslation();
  const { language } = useService(Locale);
  const number = (label: string, value: number, [min, max]: [number, number], change: (newValue: number) => void) => (
    <PlanNumber label={label} value={value} minimum={min} maximum={max} disabled={disabled} onChange={change} />
  );
  if (plan.kind === 'minutes') return number(t('form.cronInterval'), plan.every, [1, 59], (every) => onChange({ ...plan, every }));
  if (plan.kind === 'hourly') return number(t('form.cronMinute'), plan.minute, [0, 59], (minute) => onChange({ ...plan, minute }));
  if (plan.kind === 'custom') return null;
  const weekdays = Array.from({ length: 7 }, (_, day) => ({ value: day, label: weekdayName(day, language) }));
  return (
    <>
      {plan.kind === 'weekly' && (
        <NamedSelect
          name={t('form.cronWeekday')}
          disabled={disabled}
          options={weekdays}
          value={plan.weekday}
          onChange={(weekday) => onChange({ ...plan, weekday })}
        />
      )}
      {plan.kind === 'monthly' && number(t('form.cronDay'), plan.day, [1, 31], (day) => onChange({ ...plan, day }))}
      <TimePicker
        format="HH:mm"
        disabled={disabled}
        allowClear={false}
        value={plan.time}
        onChange={(time: string | undefined) => time && onChange({ ...plan, time })}
      />
    </>
  );
}

interface PlanNumberProps {
  readonly label: string;
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly disabled: boolean;
  readonly onChange: (value: number) => void;
}

/** Enters a number of a schedule. An invalid one stays as it is typed, with its bounds as the problem. */
function PlanNumber({ label, value, minimum, maximum, disabled, onChange }: PlanNumberProps) {
  const t = useTranslation();
  const id = useId();
  const schema = Integer({ title: [label, label], minimum, maximum });
  const given = Number.isNaN(value) ? undefined : value;
  const problem = fieldProblem(schema, given, true);
  return (
    <div>
      <NumberInput
        field={{ schema, traits: { title: [label, label], widget: 'number' } }}
        aria-label={label}
        aria-describedby={id}
        prefix={label}
        value={given}
        disabled={disabled}
        error={problem !== undefined}
        onChange={(typed) => onChange(typed ?? Number.NaN)}
      />
      <p id={id} className="crud-form__problem" aria-live="polite">
        {problem && t(problem)}
      </p>
    </div>
  );
}

// The first of June 2025 was a Sunday.
const weekdayName = (day: number, language: string) =>
  new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', { weekday: 'long' }).format(new Date(2025, 5, 1 + day));
