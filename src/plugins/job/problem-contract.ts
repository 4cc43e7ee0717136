import { type Problem, problem } from '#shared/errors';
import type { Words } from '#shared/text';

/** A job cannot be run while the plugin that does it is switched off. */
export const pausedJob = (plugin: Words): Problem =>
  problem(409, [
    `任务由插件“${plugin[0]}”执行，该插件已停用，启用后才能运行`,
    `What this job does belongs to the plugin “${plugin[1]}”, which is switched off. Switch it on to run the job.`,
  ]);

/** A job of PowerJob's has something, by the title of its field, that jobs here have not. */
export const unsupportedThere = (field: Words, value: string): Problem =>
  problem(409, [`此处没有这样的“${field[0]}”：${value}`, `There is no such “${field[1]}” here: ${value}`]);

/** What is refused of jobs and their runs. */
export const jobProblems = {
  appTaken: problem(409, ['应用名称已存在', 'There is an application of this name already.']),
  appInUse: problem(409, ['应用下还有任务，不能删除', 'Jobs run on this application. Delete them first.']),
  noServer: problem(400, ['任务应用不存在', 'There is no such application.']),
  serverFixed: problem(409, ['任务应用不可修改', 'The application of a job cannot be changed.']),
  wrongCron: problem(400, ['CRON 表达式不正确', 'This is no CRON expression.']),
  neverFires: problem(400, ['该时间表达式不会再触发', 'This time expression never comes true again.']),
  wrongPeriod: problem(400, ['请输入不小于 1000 的毫秒数', 'Enter milliseconds, at least 1000.']),
  wrongLifecycle: problem(400, ['生命周期的结束须晚于开始', 'The lifetime must end after it begins.']),
  wrongRange: problem(400, ['请选择不超过 {days} 天的时间范围', 'Choose at most {days} days.']),
  noProcessor: problem(400, ['没有处理器「{name}」', 'There is no processor “{name}”.']),
  noExternal: problem(400, ['该应用不支持外部处理器', 'This application loads no external processors.']),
  externalOff: problem(400, ['部署未放行外部处理器（参数 job.external）', 'The deployment allows no external processors (parameter job.external).']),
  noMapReduce: problem(400, ['处理器「{name}」不支持 MapReduce', 'The processor “{name}” cannot share its work out.']),
  wrongParams: problem(400, ['任务参数不正确：{reason}', 'The parameters are wrong: {reason}']),
  notRunning: problem(409, ['只能停止等待中或运行中的实例', 'Only a run that waits or runs can be stopped.']),
  notEnded: problem(409, ['只能重试失败或已停止的实例', 'Only a run that failed or was stopped can be tried again.']),
  tooMany: problem(409, ['已达到最大实例数 {most}', 'It runs {most} times already, which is the most it may.']),
  nameTaken: problem(409, ['该应用下任务名称已存在', 'The application has a job of this name already.']),
  notThere: problem(409, ['该任务尚未同步到 PowerJob', 'The job is not on PowerJob yet. Synchronise it first.']),
  workflowsHere: problem(400, ['工作流由内置引擎执行，请选择内置引擎的应用', 'Workflows run on the built-in engine. Choose an application of its.']),
  oddGraph: problem(400, ['工作流的节点或连线不正确', 'The graph has nodes twice, or edges that lead nowhere.']),
  circle: problem(400, ['工作流中不能有环', 'Nodes wait for each other in a circle.']),
  noSuchJob: problem(400, ['该应用下没有任务 {id}', 'The application has no job {id}.']),
  emptyWorkflow: problem(409, ['工作流还没有节点', 'The workflow has no nodes yet.']),
  noWorkflow: problem(400, ['该应用下没有这个工作流', 'The application has no such workflow.']),
  nestedWorkflow: problem(409, ['任务「{name}」启动工作流，不能作为节点', 'The job “{name}” starts a workflow and cannot be a node of one.']),
  nodeStartsNone: problem(409, ['任务是工作流的节点，不能再启动工作流', 'The job is a node of a workflow and cannot start one.']),
  startedByJob: problem(409, ['工作流由任务「{name}」启动，不能删除', 'The job “{name}” starts this workflow. Change it first.']),
  inWorkflow: problem(409, ['任务「{name}」被工作流使用，不能删除', 'The job “{name}” is part of a workflow. Take it out first.']),
  oneByOne: problem(409, ['PowerJob 上的任务请逐个修改', 'Edit jobs of PowerJob one by one.']),
  goneThere: problem(409, ['任务已从 PowerJob 删除，不能撤销', 'The job was deleted on PowerJob. This cannot be undone.']),
  notSynced: problem(409, ['该应用由内置引擎执行，无须同步', 'This application is run by the built-in engine. There is nothing to compare.']),
  wrongAddress: problem(400, ['地址格式不正确', 'This is no address.']),
  privateAddress: problem(400, [
    '该地址指向内网，部署未放行（EGRESS_ALLOW）',
    'The address leads inside, and the deployment does not allow it (EGRESS_ALLOW).',
  ]),
  lacksSecret: problem(400, ['请输入签名密钥', 'Enter a signing key.']),
  noTemplate: problem(400, [
    '短信编号不存在，或其模板需要 job、reason、time 以外的变量',
    'There is no text message of this code, or it asks for more than job, reason and time.',
  ]),
  passwordAgain: problem(400, ['连接信息已更改，请重新输入密码', 'The connection has changed. Enter the password again.']),
  engineFixed: problem(409, ['引擎不可修改', 'The engine cannot be changed.']),
};

/** What goes wrong on the way to a PowerJob server, and what it refuses. */
export const powerJobProblems = {
  unreachable: problem(502, ['无法连接 PowerJob：{reason}', 'PowerJob cannot be reached: {reason}']),
  dropped: problem(502, ['PowerJob 中断了连接，不确定是否已执行', 'PowerJob dropped the connection. Whether it was done is not known.']),
  slow: problem(504, [
    'PowerJob 在 {seconds} 秒内没有答复，不确定是否已执行',
    'PowerJob did not answer within {seconds} seconds. Whether it was done is not known.',
  ]),
  odd: problem(502, ['PowerJob 的答复无法识别（HTTP {status}）', 'PowerJob’s answer cannot be read (HTTP {status}).']),
  refused: problem(502, ['PowerJob 拒绝：{message}', 'PowerJob refuses: {message}']),
  invalid: problem(502, ['PowerJob 认为请求无效：{message}', 'PowerJob calls the request invalid: {message}']),
  wrongPassword: problem(502, ['PowerJob 应用密码不正确', 'The application’s password is wrong at PowerJob.']),
  noApp: problem(502, ['PowerJob 上没有该应用', 'PowerJob knows no such application.']),
  token: problem(502, ['PowerJob 不接受登录令牌', 'PowerJob does not accept the token.']),
  failed: problem(502, ['PowerJob 内部错误：{message}', 'PowerJob failed: {message}']),
};
