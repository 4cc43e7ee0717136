import { Spin } from '@arco-design/web-react';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { useQuery, useTranslation } from '#kernel';
import { jobInstanceMenu } from '../menus.ts';
import { runStates } from '../run-contract.ts';
import { jobWorkflow } from '../workflow-contract.ts';
import { NodesOfRun } from './NodesOfRun.tsx';
import styles from './workflow.module.css';
import { workflowMessages } from './workflow-messages.ts';

const askEvery = 2000;

/** Shows the nodes of the workflow run that a job's run has started, updated while it runs; a node links to its run. */
export function OwnWorkflowRun({ of, onLeave }: { readonly of: string; readonly onLeave: () => void }) {
  const t = useTranslation();
  const navigate = useNavigate();
  const { reply: run, hasFailed, reload } = useQuery(jobWorkflow.runGraph, { id: of });
  useEffect(() => {
    if (run?.state !== runStates.running) return undefined;
    const timer = setTimeout(reload, askEvery);
    return () => clearTimeout(timer);
  }, [run, reload]);
  const open = (instanceId: string) => {
    onLeave();
    navigate(`${jobInstanceMenu.path}/index?id=${instanceId}`);
  };
  return (
    <div className={styles.editor}>
      {hasFailed && <p role="alert">{t(workflowMessages.failed)}</p>}
      {run ? <NodesOfRun run={run} onOpen={open} /> : !hasFailed && <Spin />}
    </div>
  );
}
