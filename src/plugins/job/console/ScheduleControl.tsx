import { InputNumber } from '@arco-design/web-react';
import { FieldControl, type InputProps, useTranslation } from '#kernel';
import { jobMessages } from './messages.ts';

const maxSeconds = 31 * 24 * 60 * 60;

/** Edits a schedule: a cron expression, or a period in seconds, which is stored in milliseconds. */
export function ScheduleControl(props: InputProps) {
  const t = useTranslation();
  const { field, id, value, disabled, isInvalid, describedBy, onChange } = props;
  // The control receives the tree store of the form as well, which a page's control does not declare.
  if (field.traits.widget === 'cron') return <FieldControl {...(props as Parameters<typeof FieldControl>[0])} />;
  const milliseconds = /^\d{1,10}$/.test(String(value ?? '')) ? Number(value) : undefined;
  return (
    <InputNumber
      id={id}
      aria-required={field.required}
      aria-describedby={describedBy}
      min={1}
      max={maxSeconds}
      suffix={t(jobMessages.seconds)}
      disabled={disabled}
      error={isInvalid}
      {...(milliseconds === undefined ? {} : { value: milliseconds / 1000 })}
      onChange={(seconds: number | undefined) => onChange(seconds === undefined || Number.isNaN(seconds) ? undefined : String(Math.round(seconds * 1000)))}
    />
  );
}
