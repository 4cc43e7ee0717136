import { Button } from '@arco-design/web-react';
import { IconCheckCircle, IconCloseCircle, IconMinusCircle } from '@arco-design/web-react/icon';
import { useState } from 'react';
import { Can, CrudPage, Dialogs, Http, SidePanel, Toasts, useCan, useMutation, useQuery, useService, useTranslation } from '#kernel';
import { type OssRow, type OssTestResult, oss, ossMessages, ossStatus } from '../contract.ts';
import { ossMenu } from '../menus.ts';
import styles from './storage.module.css';

interface TestPanelProps {
  readonly configuration: { readonly id: string; readonly ossCode: string; readonly status: number };
  readonly onClose: () => void;
  readonly onEnabled: () => void;
}

/** Tests a store as soon as it opens: shows the steps that passed and the error of the next one, and offers to enable the store. */
function TestPanel({ configuration, onClose, onEnabled }: TestPanelProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(oss.test, { id: configuration.id }, { refetchOnMount: false });
  const value = isFetching || error ? undefined : data;
  const enable = useMutation(oss.enable, {
    onSuccess: () => {
      toasts.success(t(ossMessages.enabled));
      onEnabled();
    },
  });
  const outcome = isFetching ? ossMessages.testing : value?.works ? (configuration.status === 2 ? ossMessages.inUse : ossMessages.works) : ossMessages.fails;

  return (
    <SidePanel open title={t(ossMessages.testOf, { name: configuration.ossCode })} onClose={onClose} width={480}>
      <div className={styles.test}>
        <p role="status" className={styles.outcome} data-works={value?.works}>
          {t(outcome)}
        </p>
        {value && <Steps result={value} />}
        <div className={styles.buttons}>
          {value?.works && configuration.status !== 2 && (
            <Can code="oss_enable">
              <Button type="primary" loading={enable.isPending} onClick={() => void enable.mutate({ id: configuration.id })}>
                {t(ossMessages.enable)}
              </Button>
            </Can>
          )}
          <Button disabled={isFetching} onClick={refetch}>
            {t(ossMessages.testAgain)}
          </Button>
        </div>
      </div>
    </SidePanel>
  );
}

const stepIcons = { passed: IconCheckCircle, failed: IconCloseCircle, skipped: IconMinusCircle };

function Steps({ result: { steps } }: { readonly result: OssTestResult }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ title, state, detail }) => {
        const StepIcon = stepIcons[state];
        return (
          <li key={title} data-state={state}>
            <StepIcon aria-hidden="true" />
            <strong>{title}</strong>
            <span>{detail}</span>
          </li>
        );
      })}
    </ol>
  );
}

const isOff = ({ status }: OssRow) => status === ossStatus.off;

/** Lists the tenant's file stores. A saved store is tested at once if the user may test it, and a successful test offers to enable it. */
export default function OssPage() {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const canTest = useCan('oss_test');
  const [tested, setTested] = useState<OssRow>();
  const [refetchKey, setRefetchKey] = useState(0);
  const enable = async ({ id, ossCode }: OssRow, reload: () => void) => {
    const title = t(ossMessages.enable);
    const content = t(ossMessages.enableQuestion, { name: ossCode });
    if (!(await dialogs.confirm({ title, content, confirm: title, cancel: t(ossMessages.cancel) }))) return;
    const response = await http.send(oss.enable, { id });
    if (!response.success) return;
    toasts.success(t(ossMessages.enabled));
    reload();
  };
  return (
    <>
      <CrudPage
        key={refetchKey}
        crud={oss}
        title={ossMenu.title}
        noun={ossMessages.noun}
        columns={{ endpoint: { width: 300 }, status: { width: 110 } }}
        onSaved={(row) => canTest && setTested(row as OssRow)}
        actions={{
          row: [
            { title: ossMessages.test, code: 'oss_test', onClick: (row) => setTested(row as OssRow) },
            { title: ossMessages.enable, code: 'oss_enable', when: isOff, onClick: (row, { reload }) => enable(row as OssRow, reload) },
          ],
          remove: isOff,
        }}
      />
      {tested && (
        <TestPanel
          configuration={tested}
          onClose={() => setTested(undefined)}
          onEnabled={() => {
            setTested(undefined);
            setRefetchKey(refetchKey + 1);
          }}
        />
      )}
    </>
  );
}
