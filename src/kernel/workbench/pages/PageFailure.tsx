import { useService } from '../../base/react/services.tsx';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import { isMissingFile } from '../../platform/errors/missing-file.ts';
import { useText, useWords } from '../../platform/i18n/use-words.ts';
import { ProblemView } from '../../ui/errors/ProblemView.tsx';

interface PageFailureProps {
  readonly error: unknown;
  readonly pluginId: string;
  readonly onRetry: () => void;
}

/** Replaces a page that failed: names its plugin, offers a retry and shows the details. */
export function PageFailure({ error, pluginId, onRetry }: PageFailureProps) {
  const text = useText();
  const say = useWords();
  const host = useService(PluginHost);
  const state = host.states.find(({ id }) => id === pluginId);
  const isChunk = isMissingFile(error);
  return (
    <ProblemView
      scene={isChunk ? 'offline' : 'broken'}
      title={text(isChunk ? 'errors.chunkTitle' : 'errors.pageTitle')}
      explanation={isChunk ? text('errors.chunk') : text('errors.page', { plugin: state ? say(state.title) : pluginId })}
      details={detailsOf(error, pluginId)}
      actions={[{ label: text('errors.retry'), onAction: onRetry }]}
    />
  );
}

function detailsOf(error: unknown, pluginId: string): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [`plugin: ${pluginId}`, `url: ${window.location.pathname}`, `time: ${new Date().toISOString()}`, stack].join('\n');
}
