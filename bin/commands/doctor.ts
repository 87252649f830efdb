import type { Command } from 'commander'

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('look at the whole installation and say what is wrong; exits with 1 if something is')
    .option('--only <checks...>', 'make only these checks, such as database email')
    .action(async (options: { only?: string[] }, command: Command) => {
      // Loaded only when it runs: it needs most of the program.
      const { examine } = await import('../doctor/doctor.ts')
      await examine(command, options)
    })
}
