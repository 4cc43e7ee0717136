import { Checkbox } from '@arco-design/web-react';
import { Hint, LoadedPart, usePreference, useQuery, useTranslation } from '#kernel';
import { type ChannelChoices, channelsPreference, ownEmail } from '../own-contract.ts';
import styles from './email.module.css';
import { emailMessages } from './messages.ts';

const channels = ['inbox', 'mail'] as const;

/** Lets users choose for each kind of notification whether it goes to their inbox, by e-mail, both or neither. */
export default function NotificationsSection() {
  const t = useTranslation();
  const query = useQuery(ownEmail.settings, {}, { quiet: true });
  const [choices = {}, setChoices] = usePreference<ChannelChoices>(channelsPreference.key, channelsPreference.version);
  return (
    <LoadedPart query={query}>
      {({ address, isOffered, topics }) => {
        const shownChannels = isOffered ? channels : (['inbox'] as const);
        return (
          <>
            <Hint>{t(!isOffered ? emailMessages.notOffered : address ? emailMessages.goesTo : emailMessages.noAddress, { address })}</Hint>
            <table className={styles.channels}>
              <thead>
                <tr>
                  <th scope="col">{t(emailMessages.topic)}</th>
                  {shownChannels.map((channel) => (
                    <th key={channel} scope="col">
                      {t(emailMessages[channel])}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {topics
                  .filter(({ code, use }) => isOffered || (use === 'notification' && !code.startsWith('email:')))
                  .map(({ code, title, use }) => (
                    <tr key={code}>
                      <th scope="row">{title}</th>
                      {shownChannels.map((channel) => (
                        <td key={channel}>
                          {(channel === 'mail' || use === 'notification') && (
                            <Checkbox
                              aria-label={`${title} · ${t(emailMessages[channel])}`}
                              checked={choices[code]?.[channel] !== false}
                              onChange={(isOn) => setChoices({ ...choices, [code]: { ...choices[code], [channel]: isOn } })}
                            />
                          )}
                        </td>
                      ))}
                    </tr>
                  ))}
              </tbody>
            </table>
          </>
        );
      }}
    </LoadedPart>
  );
}
