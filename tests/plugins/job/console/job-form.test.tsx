import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import * as Type from 'typebox';
import { engineTypes, JobInfo, jobInfo, jobServer } from '#plugins/job/contract';
import { type FieldTraits, Integer, LongText, Nullable, traitsOf, Url } from '#shared/fields';
import JobInfoPage from '../../../../src/plugins/job/console/JobInfoPage.tsx';
import JobServerPage from '../../../../src/plugins/job/console/JobServerPage.tsx';
import { ParamsControl } from '../../../../src/plugins/job/console/ParamsControl.tsx';
import { ScheduleControl } from '../../../../src/plugins/job/console/ScheduleControl.tsx';
import { pageOf } from '../../../kit/fixtures.ts';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const external = { value: 4, reason: ['该应用不支持外部处理器', 'This application does not support external processors.'] };
const answers = {
  [jobInfo.list.path]: () => pageOf(),
  [jobServer.list.path]: () => pageOf(),
  [jobInfo.processors.path]: () => [],
  [jobInfo.workflows.path]: () => [],
  [jobInfo.alertTemplates.path]: () => [],
  [jobInfo.people.path]: () => [],
  [jobServer.select.path]: () => [
    { id: '7', jobServerName: '本机', jobAppName: 'marquee', engine: engineTypes.embedded },
    { id: '8', jobServerName: '其他', jobAppName: 'other', engine: engineTypes.embedded },
  ],
  [jobInfo.unavailable.path]: ({ field }: Record<string, unknown>) => (field === 'processorType' ? [external] : []),
};

const item = (field: string) => document.querySelector<HTMLElement>(`.crud-form [data-field="${field}"]`) as HTMLElement;
const problemOf = (field: string) => item(field).querySelector('.crud-form__problem')?.textContent;

async function openForm(page: Parameters<typeof showPage>[0], codes: readonly string[]) {
  const shown = await showPage(page, { codes, answers });
  await shown.press(screen.getAllByRole('button', { name: '新增' })[0] as HTMLElement);
  await screen.findByRole('button', { name: '保存' });
  await shown.settle();
  return shown;
}

test('each of the eight required fields of a job shows an error when it is emptied', async () => {
  const { press, user, settle } = await openForm(<JobInfoPage />, ['jobinfo', 'jobinfo_add']);
  const picked = {
    timeExpressionType: '请选择定时信息',
    executeType: '请选择执行器类型',
    dispatchStrategy: '请选择运行时配置',
    processorType: '请选择处理器类型',
    enable: '请选择是否开启',
  };
  for (const [field, words] of Object.entries(picked)) {
    await waitFor(() => expect(item(field).querySelector('.arco-select')).not.toBeNull());
    fireEvent.mouseEnter(item(field).querySelector('.arco-select') as Element);
    const clear = await waitFor(() => item(field).querySelector('.arco-select-clear-icon') as HTMLElement);
    await press(clear);
    expect({ field, words: problemOf(field) }).toEqual({ field, words });
  }
  const typed = { jobName: '请输入任务名称', processorInfo: '请输入处理器参数' };
  for (const [field, words] of Object.entries(typed)) {
    const input = item(field).querySelector('input') as HTMLInputElement;
    await user.type(input, 'x');
    await user.clear(input);
    fireEvent.blur(input);
    await settle();
    expect({ field, words: problemOf(field) }).toEqual({ field, words });
  }
  fireEvent.blur(within(item('jobServerId')).getByRole('combobox'));
  await settle();
  expect(problemOf('jobServerId')).toBe('请选择任务应用');
});

test('an option that the application cannot have is shown with the reason and cannot be chosen', async () => {
  const { user, settle, inputs } = await openForm(<JobInfoPage />, ['jobinfo', 'jobinfo_add']);
  await waitFor(() => expect(inputs(jobInfo.unavailable)).toContainEqual({ field: 'processorType' }));
  await settle();
  await user.click(item('processorType').querySelector('.arco-select-view') as Element);
  const option = await screen.findByText('外部（动态加载）（该应用不支持外部处理器）');
  expect(option.closest('[role=option]')?.className).toContain('disabled');
});

const params = Type.Object({
  url: Url({ title: ['地址', 'Address'] }),
  headers: Nullable(LongText({ title: ['请求头', 'Headers'] })),
  timeoutSeconds: Nullable(Integer({ title: ['超时', 'Time-out'], minimum: 1, maximum: 600, default: 60 })),
});

test('a processor’s parameters are fields, a period is entered in seconds, and rare fields are folded until one needs attention', async () => {
  const http = {
    value: 'job:http-call',
    title: ['HTTP 调用', 'HTTP call'],
    help: ['请求', 'Request'],
    kinds: ['standalone'],
    params: JSON.parse(JSON.stringify(params)),
  };
  const changes: unknown[] = [];
  const control = { id: 'c', disabled: false, isInvalid: false, describedBy: undefined, onChange: (value: unknown) => changes.push(value) };
  const fieldOf = (name: 'jobParams' | 'timeExpression') => {
    const schema = JobInfo.fields[name];
    return { name, schema, traits: traitsOf(schema) as FieldTraits, required: false };
  };
  const callInput = JSON.stringify({ jobServerId: '7', processorInfo: 'job:http-call' });
  const { user, settle } = await showPage(
    <>
      <ParamsControl {...control} field={fieldOf('jobParams')} value='{"url":"https://example.com/","headers":{"X-A":"1"}}' callInput={callInput} />
      <ScheduleControl {...control} id="s" field={fieldOf('timeExpression')} value="90000" />
    </>,
    { answers: { ...answers, [jobInfo.processors.path]: () => [http] } },
  );
  await settle();
  const lines = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: '请求头' });
  expect(lines.value).toBe('X-A: 1');
  fireEvent.change(lines, { target: { value: 'X-A: 2' } });
  expect(changes.at(-1)).toBe('{"url":"https://example.com/","headers":"X-A: 2"}');
  const seconds = document.getElementById('s') as HTMLInputElement;
  expect(seconds.value).toBe('90');
  await user.type(seconds, '0');
  fireEvent.blur(seconds);
  expect(changes.at(-1)).toBe('900000');
  cleanup();
  await openForm(<JobInfoPage />, ['jobinfo', 'jobinfo_add']);
  const advanced = document.querySelector('details') as HTMLDetailsElement;
  expect(advanced.open).toBe(false);
  expect(advanced.querySelector('[data-field=executeType]')).not.toBeNull();
  expect(advanced.querySelector('[data-field=jobName]')).toBeNull();
});

test('name, address, application and password of a PowerJob server are each asked for when they are left empty; the built-in engine has no address', async () => {
  const { user, settle } = await openForm(<JobServerPage />, ['jobserver', 'jobserver_add']);
  expect(item('jobServerUrl')).toBeNull();
  expect(item('jobAppPassword')).toBeNull();
  await user.click(within(item('engine')).getByRole('radio', { name: 'PowerJob' }));
  await settle();
  const words = {
    jobServerName: '请输入服务名称',
    jobServerUrl: '请输入服务地址',
    jobAppName: '请输入应用名称',
    jobAppPassword: '请输入应用密码',
  };
  for (const [field, said] of Object.entries(words)) {
    await waitFor(() => expect(item(field).querySelector('input')).not.toBeNull());
    fireEvent.blur(item(field).querySelector('input') as Element);
    await settle();
    expect({ field, words: problemOf(field) }).toEqual({ field, words: said });
  }
});
