/** The configuration files of an Asterisk that does the same work as Bellhop. */
import { CARRIER_HOST } from '../calls/phone-system.ts'
import { FIRST_NUMBER } from './pbx.ts'

export interface AsteriskPlace {
  /** Where it is installed. */
  root: string
  /** Where it keeps everything else. */
  dir: string
  sipPort: number
  lines: number
  records: { host: string; port: number; user: string; database: string }
}

export const phoneOf = (line: number) => ({ username: `line${line}`, password: `secret-of-${line}` })

/** By name. */
export function configFiles(place: AsteriskPlace): Record<string, string> {
  const { dir, records } = place
  return {
    'asterisk.conf': directories(place),
    'modules.conf': MODULES,
    'logger.conf': '[general]\n[logfiles]\nmessages.log => notice,warning,error\n',
    'rtp.conf': '[general]\nrtpstart=10000\nrtpend=19999\n',
    'cdr.conf': '[general]\nenable=yes\n[csv]\nusegmtime=no\nloguniqueid=no\nloguserfield=no\n',
    'cdr_pgsql.conf': `[global]
hostname=${records.host}
port=${records.port}
dbname=${records.database}
user=${records.user}
password=none
table=cdr
appname=asterisk
`,
    'cdr_manager.conf': DISABLED,
    'manager.conf': DISABLED,
    'http.conf': DISABLED,
    'ari.conf': DISABLED,
    'features.conf': '[general]\n',
    'musiconhold.conf': `[default]\nmode=files\ndirectory=${dir}/data/moh\n`,
    'extensions.conf': DIALPLAN,
    'queues.conf': QUEUES + forEachLine(place, queue),
    'pjsip.conf': pjsip(place) + forEachLine(place, phone),
  }
}

const DISABLED = '[general]\nenabled = no\n'

const forEachLine = ({ lines }: AsteriskPlace, of: (line: number) => string) =>
  Array.from({ length: lines }, (_, line) => of(line)).join('')

const directories = ({ root, dir }: AsteriskPlace) => `[directories]
astetcdir => ${dir}/etc
astmoddir => ${root}/lib/asterisk/modules
astvarlibdir => ${dir}/data
astdbdir => ${dir}/db
astkeydir => ${dir}/key
astdatadir => ${dir}/data
astagidir => ${dir}/lib
astspooldir => ${dir}/spool
astrundir => ${dir}/run
astlogdir => ${dir}/log
[options]
verbose = 0
debug = 0
maxfiles = 65536
`

const MODULES = `[modules]
autoload = yes
noload = cel_pgsql.so
noload = res_config_pgsql.so
noload = cdr_odbc.so
noload = cdr_adaptive_odbc.so
noload = res_config_odbc.so
noload = res_odbc.so
noload = app_voicemail.so
noload = res_pjsip_transport_websocket.so
`

/** The greeting, then the queue of the number; recorded from the queue on if told to. */
const DIALPLAN = `[general]
static=yes
writeprotect=yes
[globals]
REC=0
[from-carrier]
exten => _+4531XXXXXX,1,Answer(,i)
 same => n,Playback(hej)
 same => n,ExecIf($["\${REC}" = "1"]?MixMonitor(\${UNIQUEID}.wav))
 same => n,Queue(q\${EXTEN:3})
 same => n,Hangup()
[from-phone]
exten => _X.,1,Hangup()
`

const QUEUES = `[general]
persistentmembers=no
autofill=yes
monitor-type=MixMonitor
shared_lastcall=no
`

const queue = (line: number) => `[q${FIRST_NUMBER + line}]
musicclass=default
strategy=ringall
timeout=30
retry=1
wrapuptime=0
ringinuse=no
joinempty=yes
leavewhenempty=no
announce-frequency=0
announce-holdtime=no
member => PJSIP/${phoneOf(line).username}
`

const pjsip = ({ sipPort }: AsteriskPlace) => `[global]
type=global
user_agent=Asterisk
[transport-udp]
type=transport
protocol=udp
bind=127.0.0.1:${sipPort}
[carrier]
type=endpoint
context=from-carrier
disallow=all
allow=alaw
direct_media=no
aors=carrier
[carrier]
type=aor
[carrier]
type=identify
endpoint=carrier
match=${CARRIER_HOST}
[phone](!)
type=endpoint
context=from-phone
disallow=all
allow=alaw
direct_media=no
[phone-auth](!)
type=auth
auth_type=userpass
[phone-aor](!)
type=aor
max_contacts=1
remove_existing=yes
qualify_frequency=0
`

function phone(line: number): string {
  const { username, password } = phoneOf(line)
  return `[${username}](phone)
auth=${username}
aors=${username}
[${username}](phone-auth)
username=${username}
password=${password}
[${username}](phone-aor)
`
}
