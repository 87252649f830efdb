import { type ChildProcess, spawn } from 'node:child_process'

/** rtpengine without its kernel module, on the loopback device. */
export const spawnRtpengine = (control: number, ports: { from: number; to: number }): ChildProcess =>
  spawn(
    // A socket of which it has not read for five seconds stays deaf. If it may not go first, it starts all the same.
    'nice',
    [
      '-n',
      '-10',
      'rtpengine',
      '--config-file=none',
      '--table=-1',
      '--interface=127.0.0.1',
      '--interface=::1',
      `--listen-ng=127.0.0.1:${control}`,
      `--port-min=${ports.from}`,
      `--port-max=${ports.to}`,
      '--num-threads=2',
      '--foreground',
      '--log-stderr',
      '--log-level=4',
    ],
    { stdio: 'ignore' },
  )
