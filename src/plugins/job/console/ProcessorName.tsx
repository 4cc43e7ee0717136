import { Tooltip } from '@arco-design/web-react';
import { Tag, useWords } from '#kernel';
import type { Words } from '#shared/text';
import { words } from './words.ts';

/** Shows the processor of a job, with a hint when the job is paused because the processor's plugin is disabled. */
export function ProcessorName({ name, pausedBy }: { readonly name: string; readonly pausedBy: Words | undefined }) {
  const say = useWords();
  if (!pausedBy) return name;
  const plugin = say(pausedBy);
  return (
    <>
      {name}{' '}
      <Tooltip content={say(words.waitsHelp, { plugin })}>
        <span>
          <Tag tone="warning">{say(words.waits, { plugin })}</Tag>
        </span>
      </Tooltip>
    </>
  );
}
