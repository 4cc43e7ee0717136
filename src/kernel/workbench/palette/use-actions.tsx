import { useNavigate } from 'react-router-dom';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import type { TextKey } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { Icon, type IconName } from '../../ui/primitives/Icon.tsx';
import { useSlot } from '../../ui/slots/slots.ts';
import { useClearCache } from '../actions/clear-cache.ts';
import { useFullScreen } from '../actions/full-screen.ts';
import { useSignOut } from '../actions/use-sign-out.ts';
import { useRouteTable } from '../routes/route-table.tsx';
import { PaletteActions, UserMenuItems } from '../slots.ts';
import { MaximizedContent } from '../state/maximized-content.ts';
import { OpenOverlay } from '../state/open-overlay.ts';
import type { PaletteEntry, PaletteGroup } from './sections.ts';

/** Returns the actions available everywhere. */
export function useActions(): PaletteGroup {
  const t = useTranslation();
  const navigate = useNavigate();
  const { homePath } = useRouteTable();
  const overlay = useService(OpenOverlay);
  const content = useService(MaximizedContent);
  const { isMaximized } = useStore(content, (state) => state);
  const fullScreen = useFullScreen();
  const clearCache = useClearCache();
  const signOut = useSignOut();
  const may = useGrants();
  const entry = (key: string, title: string, icon: IconName, onSelect: () => void, location?: string): PaletteEntry => ({
    key,
    title,
    icon: <Icon name={icon} size={16} />,
    ...(location === undefined ? {} : { location }),
    onSelect,
  });
  const action = (title: TextKey, icon: IconName, select: () => void, location?: string) => entry(title, t(title), icon, select, location);
  const pages = useSlot(UserMenuItems)
    .filter(({ part: { code } }) => may(code))
    .map(({ key, part }) => entry(key, t(part.title), part.icon, () => navigate(part.path), part.path));
  const entries = [
    action('palette.goHome', 'home', () => navigate(homePath), homePath),
    action('lock.lockScreen', 'lock', () => overlay.show('lock')),
    isMaximized
      ? action('tabs.restoreContent', 'leaveFullScreen', () => content.restore())
      : action('tabs.maximizeContent', 'fullScreen', () => content.maximize()),
    ...(fullScreen.isSupported
      ? [
          action(
            fullScreen.isFullScreen ? 'shell.leaveFullScreen' : 'shell.enterFullScreen',
            fullScreen.isFullScreen ? 'leaveFullScreen' : 'fullScreen',
            fullScreen.toggle,
          ),
        ]
      : []),
    action('settings.title', 'palette', () => overlay.show('settings')),
    ...pages,
    action('tabs.clearCache', 'clean', clearCache),
    action('shell.signOut', 'signOut', signOut),
  ];
  const added = useSlot(PaletteActions)
    .filter(({ part: { code } }) => may(code))
    .map(({ key, part: { title, run }, services }) => ({
      key,
      title: t(title),
      icon: <Icon name="chevronRight" size={16} />,
      onSelect: () => run({ get: (service) => services.get(service) }),
    }));
  return { key: 'actions', title: t('palette.actions'), entries: [...entries, ...added] };
}
