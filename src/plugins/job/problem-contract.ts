import { type Problem, problem } from '#shared/errors';
import type { LocalizedText } from '#shared/text';

/** Problem of running a job whose plugin is disabled. */
export const jobPluginDisabled = (plugin: LocalizedText): Problem =>
  problem(409, [
    `作业由插件「${plugin[0]}」执行，该插件已停用，启用后才能运行`,
    `This job is run by the plugin “${plugin[1]}”, which is disabled. Enable it to run the job.`,
  ]);

/** Problem of importing a PowerJob job with a value that the field of this title does not support here. */
export const unsupportedValue = (field: LocalizedText, value: string): Problem =>
  problem(409, [`「${field[0]}」不存在：${value}`, `“${field[1]}” not found: ${value}`]);

/** Problem of importing a PowerJob job with a number above the maximum allowed here. */
export const valueTooLarge = (field: LocalizedText, value: number, maximum: number): Problem =>
  problem(409, [`「${field[0]}」为 ${value}，此处最大为 ${maximum}`, `“${field[1]}” is ${value}; the maximum here is ${maximum}.`]);

/** Problems of jobs and their runs. */
export const jobProblems = {
  appTaken: problem(409, ['应用名称已存在', 'This application name already exists.']),
  noServer: problem(400, ['任务应用不存在', 'Application not found.']),
  serverImmutable: problem(409, ['任务应用不可修改', 'The application of a job cannot be changed.']),
  invalidCron: problem(400, ['CRON 表达式不正确', 'Invalid cron expression.']),
  neverFires: problem(400, ['该时间表达式不会再触发', 'This time expression will never fire again.']),
  invalidPeriod: problem(400, ['请输入 1 秒至 31 天之间的间隔', 'Enter an interval from 1 second to 31 days.']),
  invalidLifecycle: problem(400, ['生命周期的结束须晚于开始', 'The lifetime must end after it starts.']),
  invalidRange: problem(400, ['请选择不超过 {days} 天的时间范围', 'Select a range of up to {days} days.']),
  noProcessor: problem(400, ['处理器「{name}」不存在', 'Processor “{name}” not found.']),
  externalUnsupported: problem(400, ['该应用不支持外部处理器', 'This application does not support external processors.']),
  externalNotAllowed: problem(400, [
    '部署未放行外部处理器（参数 job.external）',
    'External processors are not allowed by the deployment (parameter job.external).',
  ]),
  mapReduceUnsupported: problem(400, ['处理器「{name}」不支持 MapReduce', 'The processor “{name}” does not support MapReduce.']),
  broadcastUnsupported: problem(400, ['处理器「{name}」不支持广播执行', 'The processor “{name}” does not support broadcast.']),
  processorNotPermitted: problem(403, [
    '您没有使用处理器「{name}」的权限，请联系管理员授权',
    'You do not have permission to use the processor “{name}”. Ask an administrator to grant it.',
  ]),
  invalidParams: problem(400, ['作业参数不正确：{reason}', 'Invalid parameters: {reason}']),
  notRunning: problem(409, ['只能停止等待中或运行中的实例', 'Only runs that are waiting or running can be stopped.']),
  notRetryable: problem(409, ['只能重试失败或已停止的实例', 'Only failed or stopped runs can be retried.']),
  tooManyRuns: problem(409, ['已达到最大实例数 {most}', 'The limit of {most} concurrent runs has been reached.']),
  nameTaken: problem(409, ['该应用下任务名称已存在', 'This job name already exists in the application.']),
  notOnPowerJob: problem(409, ['该作业尚未同步到 PowerJob，请先同步', 'This job is not on PowerJob yet. Sync it first.']),
  workflowNeedsBuiltIn: problem(400, [
    '工作流由内置引擎执行，请选择内置引擎的应用',
    'Workflows run on the built-in engine. Select an application of the built-in engine.',
  ]),
  invalidGraph: problem(400, ['工作流的节点或连线不正确', 'The workflow has invalid nodes or edges.']),
  cycle: problem(400, ['工作流中不能有环', 'A workflow cannot contain a cycle.']),
  noJob: problem(400, ['该应用下不存在作业 {id}', 'Job {id} not found in this application.']),
  emptyWorkflow: problem(409, ['工作流没有节点，请先添加节点', 'The workflow has no nodes. Add a node first.']),
  noWorkflow: problem(400, ['该应用下不存在此工作流', 'Workflow not found in this application.']),
  nestedWorkflow: problem(409, ['作业「{name}」启动工作流，不能作为节点', 'The job “{name}” starts a workflow and cannot be used as a node.']),
  nodeCannotStartWorkflow: problem(409, ['作业是工作流的节点，不能再启动工作流', 'The job is a node of a workflow and cannot start one.']),
  inWorkflow: problem(409, ['作业「{name}」被工作流使用，不能删除', 'The job “{name}” is used in a workflow. Remove it from the workflow first.']),
  oneAtATime: problem(409, ['PowerJob 上的作业请逐个修改', 'Edit PowerJob jobs one at a time.']),
  deletedOnPowerJob: problem(409, ['作业已从 PowerJob 删除，不能撤销', 'The job was deleted on PowerJob. This cannot be undone.']),
  nothingToSync: problem(409, ['该应用由内置引擎执行，无须同步', 'This application runs on the built-in engine and does not need syncing.']),
  invalidAddress: problem(400, ['地址格式不正确', 'Invalid address.']),
  privateAddress: problem(400, [
    '该地址指向内网，部署未放行（EGRESS_ALLOW）',
    'The address is on a private network, which the deployment does not allow (EGRESS_ALLOW).',
  ]),
  signingKeyRequired: problem(400, ['请输入签名密钥', 'Enter a signing key.']),
  secretRequired: problem(400, ['地址已更改，请重新输入机密请求头', 'The address has changed. Enter the secret headers again.']),
  noTemplate: problem(400, [
    '短信编号不存在，或其模板需要 job、reason、time 以外的变量',
    'Text message code not found, or its template needs variables other than job, reason and time.',
  ]),
  passwordRequired: problem(400, ['连接信息已更改，请重新输入密码', 'The connection details have changed. Enter the password again.']),
  connectionNotUsed: problem(400, [
    '内置引擎不使用服务地址和应用密码，请留空或将引擎设为 PowerJob',
    'The built-in engine does not use an address or password. Leave them empty, or set the engine to PowerJob.',
  ]),
  engineImmutable: problem(409, ['引擎不可修改', 'The engine cannot be changed.']),
};

/** Connection errors and refusals of PowerJob servers. */
export const powerJobProblems = {
  unreachable: problem(502, ['无法连接 PowerJob：{reason}', 'Could not connect to PowerJob: {reason}']),
  connectionLost: problem(502, ['PowerJob 中断了连接，不确定是否已执行', 'PowerJob dropped the connection. The result is unknown.']),
  timeout: problem(504, ['PowerJob 在 {seconds} 秒内没有响应，不确定是否已执行', 'PowerJob did not respond within {seconds} seconds. The result is unknown.']),
  invalidResponse: problem(502, ['PowerJob 返回的内容无法识别（HTTP {status}）', 'PowerJob returned an invalid response (HTTP {status}).']),
  refused: problem(502, ['PowerJob 拒绝：{message}', 'PowerJob rejected the request: {message}']),
  invalid: problem(502, ['PowerJob 认为请求无效：{message}', 'PowerJob reported an invalid request: {message}']),
  wrongPassword: problem(502, ['PowerJob 应用密码不正确', 'Incorrect PowerJob application password.']),
  noApp: problem(502, ['PowerJob 上不存在该应用', 'Application not found on PowerJob.']),
  token: problem(502, ['PowerJob 不接受登录令牌', 'PowerJob did not accept the token.']),
  failed: problem(502, ['PowerJob 内部错误：{message}', 'PowerJob internal error: {message}']),
};
