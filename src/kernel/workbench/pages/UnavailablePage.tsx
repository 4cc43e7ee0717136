import type { MenuItem } from '#shared/menus';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Permission } from '../../platform/permission/permission.ts';
import { ProblemView } from '../../ui/errors/ProblemView.tsx';
import { useMenuTitles } from '../routes/route-table.tsx';

/** Explains that no running plugin serves a menu entry: names its plugin and, for administrators, the reason it does not run, or else the entry. */
export default function UnavailablePage({ item }: { readonly item: MenuItem }) {
  const t = useTranslation();
  const host = useService(PluginHost);
  const states = useStream(host.states$, host.states);
  const mayKnow = useStream(useService(Permission).isAdministrator$, false);
  const name = t(useMenuTitles()(item));
  const owner = host.definitions.find(({ pages }) => pages?.some(({ menu }) => menu.code === item.code));
  const stopped = states.find(({ id }) => id === owner?.id);
  if (!stopped)
    return <ProblemView scene="plugin" title={t('errors.notInstalledTitle')} explanation={t('errors.notInstalled', { name, code: item.code })} actions={[]} />;
  return (
    <ProblemView
      scene="plugin"
      title={t('errors.notRunningTitle')}
      explanation={t('errors.notRunning', { plugin: t(stopped.title) })}
      details={mayKnow && stopped.cause ? t(stopped.cause.text) : undefined}
      actions={[]}
    />
  );
}
