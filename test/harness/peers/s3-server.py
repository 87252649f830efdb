"""OpenStack Swift with its S3 interface, whole in one process: proxy, account, container and object server.

Prints its address once it listens. Keeps objects in memory and the rest below the folder it is given, and ends when
its input does, so that it cannot outlive the tests. Usage:
s3-server.py <folder> <access key id> <secret access key> <region>
"""
import eventlet
eventlet.monkey_patch()

import array, os, sys
from eventlet import wsgi
from paste.deploy import loadwsgi
from swift.common import storage_policy, utils
from swift.common.ring import RingData

folder, access_key_id, secret, region = sys.argv[1:]
account, user = access_key_id.split(':')
utils.HASH_PATH_SUFFIX = b'test'

SERVERS = ['account', 'container', 'object']
sockets = {name: eventlet.listen(('127.0.0.1', 0)) for name in SERVERS + ['main']}
port = {name: socket.getsockname()[1] for name, socket in sockets.items()}

# One device with a single replica.
os.makedirs(os.path.join(folder, 'devices', 'disk'))
for name in SERVERS:
    device = {'id': 0, 'zone': 1, 'region': 1, 'device': 'disk', 'ip': '127.0.0.1', 'port': port[name]}
    RingData([array.array('H', [0, 0])], [device], 31).save(os.path.join(folder, name + '.ring.gz'))
storage_policy.reload_storage_policies()

with open(os.path.join(folder, 'swift.ini'), 'w') as file:
    file.write(f"""
[DEFAULT]
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
log_level = WARNING

[app:account]
use = egg:swift#account
[app:container]
use = egg:swift#container
[app:object]
use = egg:swift#mem_object

[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:9
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = {region}
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin
[filter:slo]
use = egg:swift#slo
""")

for name in SERVERS + ['main']:
    app = loadwsgi.loadapp('config:' + os.path.join(folder, 'swift.ini'), name=name)
    eventlet.spawn(wsgi.server, sockets[name], app, log_output=False)
print(f'http://127.0.0.1:{port["main"]}', flush=True)
eventlet.tpool.execute(sys.stdin.read)
