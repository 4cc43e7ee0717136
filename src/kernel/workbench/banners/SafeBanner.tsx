import type { LocalizedText } from '#shared/text';
import type { SafeCause } from '../../host/plugin-host/safe-mode.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import styles from '../preview/PreviewBanner.module.css';

const safeModeMessages = {
  title: ['安全模式', 'Safe mode'],
  address: ['仅核心插件在运行，其他功能暂不可用。', 'Only core plugins are running. Other features are unavailable.'],
  server: [
    '服务器仅启动了核心插件。去掉 SAFE_MODE 或 --safe 并重启服务器即可退出。',
    'The server started core plugins only. Restart it without SAFE_MODE or --safe to exit safe mode.',
  ],
  leave: ['退出安全模式', 'Exit safe mode'],
} as const satisfies Record<string, LocalizedText>;

/** Shows that only core plugins are running, and how to leave safe mode. */
export default function SafeBanner({ cause }: { readonly cause: SafeCause }) {
  const t = useTranslation();
  return (
    <section className={styles.banner} aria-label={t(safeModeMessages.title)}>
      <Icon name="lock" size={16} />
      <p role="status">
        <strong>{t(safeModeMessages.title)}</strong> <span>{t(safeModeMessages[cause])}</span>
      </p>
      {cause === 'address' && (
        <button type="button" onClick={() => window.location.assign(addressWithoutSafeMode(window.location))}>
          {t(safeModeMessages.leave)}
        </button>
      )}
    </section>
  );
}

/** Returns the same address without the parameter of safe mode. */
export function addressWithoutSafeMode({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  const query = new URLSearchParams(search);
  query.delete('safe');
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}
