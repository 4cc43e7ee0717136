import { Cron } from 'croner';
import cronstrue from 'cronstrue';
import 'cronstrue/locales/zh_CN';
import { useId, useState } from 'react';
import { isQuartz } from '#shared/cron';
import { useService } from '../../../base/react/services.tsx';
import { Locale } from '../../../platform/i18n/locale.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { Session } from '../../../platform/session/session.ts';
import { NamedSelect } from '../../../ui/primitives/NamedSelect.tsx';

const fires = 10;
const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Explains an expression in words and lists its next runs in the zone of the deployment or in another one. */
export function CronMeaning({ expression }: { readonly expression: string }) {
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
      <p>{wordsFor(expression, language)}</p>
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
    return new Cron(expression, { paused: true, sloppyRanges: true, alternativeWeekdays: isQuartz(expression), timezone }).nextRuns(fires);
  } catch {
    return [];
  }
}

function wordsFor(expression: string, language: string): string {
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
