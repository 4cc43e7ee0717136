import { ActionButton, CopyButton, Dialog, useTranslation } from '#kernel';
import { providerMessages } from './messages.ts';
import styles from './ProviderAddressesDialog.module.css';

/** Addresses that an issuer must know. */
export interface ProviderAddresses {
  readonly redirect: string;
  readonly backChannelLogout: string;
}

/** Shows the addresses to register at an issuer, to copy. */
export function ProviderAddressesDialog({ addresses, onClose }: { readonly addresses: ProviderAddresses; readonly onClose: () => void }) {
  const t = useTranslation();
  const facts = [
    { title: providerMessages.redirect, value: addresses.redirect },
    { title: providerMessages.logout, value: addresses.backChannelLogout },
  ];
  return (
    <Dialog title={t(providerMessages.addresses)} maxWidth={560} onClose={onClose}>
      <p className={styles.hint}>{t(providerMessages.addressesHint)}</p>
      <dl className={styles.facts}>
        {facts.map(({ title, value }) => (
          <div key={title[1]}>
            <dt>{t(title)}</dt>
            <dd>
              <code>{value}</code>
              <CopyButton value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.actions}>
        <ActionButton onClick={onClose}>{t(providerMessages.close)}</ActionButton>
      </div>
    </Dialog>
  );
}
