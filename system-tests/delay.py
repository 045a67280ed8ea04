#!/usr/bin/env python3
#
# Copyright 2026 Gradstream authors.
# SPDX-License-Identifier: Apache-2.0
#
# An Ethernet switch that passes each frame on after a while, for machines without tc's netem. Runs until its standard
# input ends.
# Usage: delay.py MILLISECONDS INTERFACE...       the switch, with these ports
#        delay.py checksums INTERFACE             let an interface write checksums itself, as a cable needs it
import ctypes
import fcntl
import select
import socket
import struct
import sys
import time
from collections import deque

ETH_P_ALL = 3
PACKET_OUTGOING = 4
SIOCETHTOOL = 0x8946
ETHTOOL_STXCSUM = 0x17
MAX_FRAME = 65536
# Frames under way; more are lost, as on a full switch.
MAX_QUEUED = 100_000
MAX_FRAMES_A_TURN = 256
BUFFER_LENGTH = 8 * 1024 * 1024


def write_checksums(interface):
    value = ctypes.create_string_buffer(struct.pack("II", ETHTOOL_STXCSUM, 0))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCETHTOOL, struct.pack("16sP", interface.encode(), ctypes.addressof(value)))


def open_port(interface):
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        port.setsockopt(socket.SOL_SOCKET, option, BUFFER_LENGTH)
    port.bind((interface, ETH_P_ALL))
    port.setblocking(False)
    return port


def take(port, ports, homes, queue, due):
    for _ in range(MAX_FRAMES_A_TURN):
        try:
            frame, source = port.recvfrom(MAX_FRAME)
        except BlockingIOError:
            return
        if source[2] != PACKET_OUTGOING and len(queue) < MAX_QUEUED:
            homes[frame[6:12]] = port
            home = homes.get(frame[0:6])
            queue.append((due, frame, [home] if home else [other for other in ports if other is not port]))


def switch(delay, interfaces):
    ports = [open_port(interface) for interface in interfaces]
    homes = {}
    queue = deque()
    print("READY", flush=True)
    while True:
        wait = max(0.0, queue[0][0] - time.monotonic()) if queue else None
        readable = select.select(ports + [sys.stdin], [], [], wait)[0]
        if sys.stdin in readable:
            return
        now = time.monotonic()
        for port in readable:
            take(port, ports, homes, queue, now + delay)
        while queue and queue[0][0] <= time.monotonic():
            _, frame, to = queue.popleft()
            for port in to:
                try:
                    port.send(frame)
                except OSError:
                    pass  # lost, as on a cable


if sys.argv[1] == "checksums":
    write_checksums(sys.argv[2])
else:
    switch(float(sys.argv[1]) / 1000, sys.argv[2:])
