import { Tooltip } from '@arco-design/web-react';
import { Tag, useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import { words } from './messages.ts';

/** Shows the processor of a job, with a hint when the job is paused because the processor's plugin is disabled. */
export function ProcessorName({ name, pausedBy }: { readonly name: string; readonly pausedBy: LocalizedText | undefined }) {
  const t = useTranslation();
  if (!pausedBy) return name;
  const plugin = t(pausedBy);
  return (
    <>
      {name}{' '}
      <Tooltip content={t(words.waitsHelp, { plugin })}>
        <span>
          <Tag tone="warning">{t(words.waits, { plugin })}</Tag>
        </span>
      </Tooltip>
    </>
  );
}
