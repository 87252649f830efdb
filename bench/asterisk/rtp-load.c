/*
 * Both ends of many G.711 calls: each party sends a packet of 20 ms every 20 ms, which its partner must receive.
 * Parties 2i and 2i+1 talk to each other. Usage: rtp-load CALLS; each command on stdin gets a line of JSON:
 *   dest PORT PORT ...   where each party sends to
 *   talk CALLS MS        the first calls talk for this time
 * The delay of a packet is counted from just before it is sent to the kernel's timestamp of its receipt, so that it is
 * that of the PBX and the loopback device, not of this program.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PACKET = 172, HEADER = 12, FRAME_NS = 20000000, LATE_NS = 5000000, STRAGGLE_NS = 1000000000, MARK = 8 };
static const char MARK_TEXT[MARK] = "BELLHOP!";

struct party {
  int fd;
  struct sockaddr_in to;
  unsigned char packet[PACKET];
};

static struct party *parties;
static int party_count;
static float *delays_ms;
static size_t received, room, foreign;
static uint32_t session;

static uint64_t nanoseconds(struct timespec t) { return t.tv_sec * 1000000000ull + t.tv_nsec; }

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return nanoseconds(t);
}

static double cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return nanoseconds(t) / 1e6;
}

/* When the kernel received it. */
static uint64_t received_at(struct msghdr *message) {
  for (struct cmsghdr *h = CMSG_FIRSTHDR(message); h; h = CMSG_NXTHDR(message, h)) {
    if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_TIMESTAMPNS) continue;
    struct timespec t;
    memcpy(&t, CMSG_DATA(h), sizeof t);
    return nanoseconds(t);
  }
  return now();
}

static void receive(int party) {
  for (;;) {
    unsigned char bytes[2048];
    char control[128];
    struct iovec into = {bytes, sizeof bytes};
    struct msghdr message = {
        .msg_iov = &into, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t length = recvmsg(parties[party].fd, &message, MSG_DONTWAIT);
    if (length < 0) return;
    uint64_t sent;
    uint32_t of_session, from;
    memcpy(&sent, bytes + HEADER + MARK, 8);
    memcpy(&of_session, bytes + HEADER + MARK + 8, 4);
    memcpy(&from, bytes + HEADER + MARK + 12, 4);
    int ours = length == PACKET && !memcmp(bytes + HEADER, MARK_TEXT, MARK) && of_session == session &&
               (from ^ 1) == (uint32_t)party;
    if (!ours) foreign++;
    else if (received < room) delays_ms[received++] = (received_at(&message) - sent) / 1e6f;
  }
}

static int send_packet(int party) {
  unsigned char *packet = parties[party].packet;
  uint64_t sent = now();
  memcpy(packet + HEADER + MARK, &sent, 8);
  memcpy(packet + HEADER + MARK + 8, &session, 4);
  int failed = sendto(parties[party].fd, packet, PACKET, 0, (void *)&parties[party].to, sizeof parties[party].to) < 0;
  uint16_t sequence;
  uint32_t timestamp;
  memcpy(&sequence, packet + 2, 2);
  memcpy(&timestamp, packet + 4, 4);
  sequence = htons(ntohs(sequence) + 1);
  timestamp = htonl(ntohl(timestamp) + 160);
  memcpy(packet + 2, &sequence, 2);
  memcpy(packet + 4, &timestamp, 4);
  return failed;
}

static void open_party(int party, int epoll) {
  struct party *p = &parties[party];
  int on = 1, bytes = 1 << 19;
  p->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  setsockopt(p->fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  setsockopt(p->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(p->fd, (void *)&at, sizeof at)) {
    fprintf(stderr, "no socket for party %d: %s\n", party, strerror(errno));
    exit(1);
  }
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = party};
  epoll_ctl(epoll, EPOLL_CTL_ADD, p->fd, &event);
  memset(p->packet, 0xd5, PACKET);
  memset(p->packet, 0, HEADER);
  p->packet[0] = 0x80;
  p->packet[1] = 8;
  uint32_t source = htonl(0x10000 + party), from = party;
  memcpy(p->packet + 8, &source, 4);
  memcpy(p->packet + HEADER, MARK_TEXT, MARK);
  memcpy(p->packet + HEADER + MARK + 12, &from, 4);
}

static void print_ports(void) {
  printf("{\"ports\":[");
  for (int i = 0; i < party_count; i++) {
    struct sockaddr_in at;
    socklen_t length = sizeof at;
    getsockname(parties[i].fd, (void *)&at, &length);
    printf("%s%d", i ? "," : "", ntohs(at.sin_port));
  }
  printf("]}\n");
}

static void set_destinations(char *list) {
  for (int i = 0; i < party_count; i++) {
    parties[i].to = (struct sockaddr_in){.sin_family = AF_INET,
                                         .sin_port = htons(strtol(list, &list, 10)),
                                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  }
  printf("{}\n");
}

static int compare(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return x < y ? -1 : x > y;
}

static double quantile(double share) { return received ? delays_ms[(size_t)((received - 1) * share)] : -1; }

static void talk(int epoll, int calls, int ms) {
  int talking = calls * 2;
  size_t total = (size_t)(ms / 20) * talking, sent = 0, failed = 0, late = 0;
  free(delays_ms);
  room = total * 2 + 16;
  delays_ms = malloc(room * sizeof *delays_ms);
  for (int i = 0; i < party_count; i++) receive(i);
  session++;
  received = foreign = 0;
  double cpu_before = cpu_ms();
  uint64_t start = now(), end = 0;
  for (;;) {
    size_t due = (size_t)((double)(now() - start) / FRAME_NS * talking);
    for (; sent < due && sent < total; sent++) {
      if (now() - start - (uint64_t)((double)sent / talking * FRAME_NS) > LATE_NS) late++;
      failed += send_packet(sent % talking);
    }
    if (sent == total) {
      if (!end) end = now();
      if (received >= total || now() - end > STRAGGLE_NS) break;
    }
    struct epoll_event events[256];
    int ready = epoll_wait(epoll, events, 256, 1);
    for (int i = 0; i < ready; i++) receive(events[i].data.u32);
  }
  double cpu = cpu_ms() - cpu_before;
  qsort(delays_ms, received, sizeof *delays_ms, compare);
  printf("{\"sent\":%zu,\"received\":%zu,\"foreign\":%zu,\"failed\":%zu,\"sentLate\":%zu,\"generatorCpuMs\":%.1f,", sent,
         received, foreign, failed, late, cpu);
  printf("\"p50Ms\":%.3f,\"p99Ms\":%.3f,\"maxMs\":%.3f}\n", quantile(.5), quantile(.99), quantile(1));
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  party_count = 2 * atoi(arguments[1]);
  parties = calloc(party_count, sizeof *parties);
  struct rlimit files = {8192, 8192};
  setrlimit(RLIMIT_NOFILE, &files);
  int epoll = epoll_create1(0);
  for (int i = 0; i < party_count; i++) open_party(i, epoll);
  print_ports();
  fflush(stdout);
  static char line[1 << 17];
  while (fgets(line, sizeof line, stdin)) {
    int calls, ms;
    if (!strncmp(line, "dest", 4)) set_destinations(line + 4);
    else if (sscanf(line, "talk %d %d", &calls, &ms) == 2) talk(epoll, calls, ms);
    fflush(stdout);
  }
  return 0;
}
