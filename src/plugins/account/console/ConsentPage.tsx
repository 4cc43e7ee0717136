import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { ActionButton, Http, loadingMessages, PageSkeleton, Session, useService, useTranslation } from '#kernel';
import { type AuthorizeRequest, authorization } from '#shared/authorize';
import { consentMessages } from './consent-messages.ts';
import styles from './sections.module.css';

/** Asks whether another program may learn who is signed in; a program that an administrator trusts needs no consent. */
export default function ConsentPage() {
  const t = useTranslation();
  const user = useService(Session).user;
  const { asked, failure, isLeaving, answer } = useConsent();
  if (failure !== undefined) {
    return (
      <section className={styles.consent} role="alert">
        <h1>{t(consentMessages.title)}</h1>
        <p>{failure}</p>
      </section>
    );
  }
  if (!asked) return <PageSkeleton />;
  if (isLeaving || asked.isTrusted) {
    return (
      <p className={styles.consent} role="status">
        {t(consentMessages.consenting, { host: asked.host })}
      </p>
    );
  }
  return (
    <section className={styles.consent} aria-label={t(consentMessages.title)}>
      <h1>{t(consentMessages.title)}</h1>
      <p>{t(consentMessages.question, { client: asked.clientId, host: asked.host })}</p>
      <p className={styles.hint}>{t(consentMessages.signedInAs, { name: user?.real_name || user?.account || '' })}</p>
      <div className={styles.buttons}>
        <ActionButton onClick={() => void answer(false)}>{t(consentMessages.refuse)}</ActionButton>
        <ActionButton look="main" onClick={() => void answer(true)}>
          {t(consentMessages.approve)}
        </ActionButton>
      </div>
    </section>
  );
}

interface ConsentRequest {
  readonly clientId: string;
  readonly host: string;
  readonly isTrusted: boolean;
}

function useConsent() {
  const t = useTranslation();
  const http = useService(Http);
  const { search } = useLocation();
  const request = useMemo(() => Object.fromEntries(new URLSearchParams(search)) as AuthorizeRequest, [search]);
  const [asked, setAsked] = useState<ConsentRequest>();
  const [failure, setFailure] = useState<string>();
  const [isLeaving, setIsLeaving] = useState(false);

  const answer = async (approve: boolean) => {
    setIsLeaving(true);
    const told = await http.send(authorization.answer, { ...request, approve }, { quiet: true }).catch(() => undefined);
    if (told?.success) return window.location.assign(told.data.location);
    setIsLeaving(false);
    setFailure(told?.msg ?? t(loadingMessages.failed));
  };
  const trust = useRef(answer);
  trust.current = answer;

  useEffect(() => {
    const leaving = new AbortController();
    http
      .send(authorization.ask, request, { quiet: true, signal: leaving.signal })
      .catch(() => undefined)
      .then((told) => {
        if (leaving.signal.aborted) return;
        if (!told?.success) return setFailure(told?.msg ?? t(loadingMessages.failed));
        setAsked(told.data);
        if (told.data.isTrusted) void trust.current(true);
      });
    return () => leaving.abort();
  }, [http, request, t]);
  return { asked, failure, isLeaving, answer };
}
