import { Button, Stack, Table, Text } from '@mantine/core';
import { useAnswer, useChange } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { confirm } from '../../kit/confirm.tsx';
import { Section } from '../../kit/figure.tsx';
import { words } from '../../kit/format.ts';
import { ScrollBox } from '../../kit/scroll-box.tsx';
import { Status } from '../../kit/status.tsx';
import { tellDone, tellFault } from '../../kit/tell.ts';
import { Time } from '../../kit/time.tsx';

/** What happens by the clock: when each job ran last and runs next, and running one now. */
export default function JobsSection() {
  const jobs = useAnswer('/api/jobs', undefined, { everyMs: 5_000 });
  const run = useChange('post', '/api/jobs/{name}/run', { touches: ['/api/jobs'] });
  const now = (name: string, purpose: string) =>
    confirm({
      title: `Run now: ${words(name)}?`,
      what: `${purpose} It runs beside its schedule, once.`,
      label: 'Run now',
      run: async () => {
        try {
          await run.mutateAsync({ params: { path: { name } } });
          tellDone(`${words(name)} was started.`);
        } catch (error) {
          tellFault(error);
        }
      },
    });
  return (
    <Answered of={jobs} lines={8}>
      {(body) => (
        <Stack gap="lg">
          <Section
            title="Jobs"
            description={
              body.scheduler === null ? (
                'No process keeps the schedule at the moment.'
              ) : (
                <>
                  Kept by {body.scheduler.process} since <Time at={body.scheduler.since} ago />
                </>
              )
            }
          >
            <ScrollBox>
              <Table aria-label="Jobs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Job</Table.Th>
                    <Table.Th>Last run</Table.Th>
                    <Table.Th>Next run</Table.Th>
                    <Table.Th ta="right">Failures</Table.Th>
                    <Table.Th />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {body.jobs.map((job) => (
                    <Table.Tr key={job.name}>
                      <Table.Td miw={220} maw={420}>
                        <Text size="sm" fw={600}>
                          {words(job.name)}
                        </Text>
                        <Text size="xs" c="dimmed">
                          {job.purpose} <code style={{ whiteSpace: 'nowrap' }}>{job.schedule}</code>
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        {job.running === null ? (
                          <>
                            <Time at={job.last_run?.ended_at} ago none="never" />
                            {job.last_run !== null && (
                              <Text size="xs" c="dimmed">
                                {job.last_run.outcome}
                              </Text>
                            )}
                          </>
                        ) : (
                          <Status of="in_progress" label="Running" />
                        )}
                      </Table.Td>
                      <Table.Td>
                        <Time at={job.next_run_at} ago none="not planned" />
                      </Table.Td>
                      <Table.Td ta="right">
                        {job.failures}
                        {job.last_failure !== null && (
                          <Text size="xs" c="dimmed" maw={220} style={{ overflowWrap: 'anywhere' }}>
                            {job.last_failure.reason}
                          </Text>
                        )}
                      </Table.Td>
                      <Table.Td ta="right">
                        <Button
                          size="compact-xs"
                          variant="default"
                          aria-label={`Run now: ${words(job.name)}`}
                          onClick={() => now(job.name, job.purpose)}
                        >
                          Run now
                        </Button>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollBox>
          </Section>
          <Section title="Duties" description="What the process that keeps the schedule does all the time.">
            <ScrollBox>
              <Table aria-label="Duties">
                <Table.Tbody>
                  {body.duties.map(({ name, purpose, since }) => (
                    <Table.Tr key={name}>
                      <Table.Td miw={220}>
                        <Text size="sm" fw={600}>
                          {words(name)}
                        </Text>
                        <Text size="xs" c="dimmed">
                          {purpose}
                        </Text>
                      </Table.Td>
                      <Table.Td ta="right">
                        <Time at={since} ago none="not at the moment" />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollBox>
          </Section>
        </Stack>
      )}
    </Answered>
  );
}
